"""When to ask again: validators and freshness, a host's delay, a feed's next visit."""
