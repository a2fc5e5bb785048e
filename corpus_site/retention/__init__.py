"""What is kept how long, by policies that admins set; and how long the disk will last."""
