"""Users, roles, signing in."""
