"""Log-in forms of newspapers: the form on its page, and the steps of a log-in."""
