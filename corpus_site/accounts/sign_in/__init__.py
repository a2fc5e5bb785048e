"""Ways to sign in beside a password of this site, and who comes by them."""
