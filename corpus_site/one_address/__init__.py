"""What is known of one address: the way of its page, and links to what mends it."""
