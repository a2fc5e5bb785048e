"""Turns of hosts: pages fetched, what came judged and read, what follows for page and host."""
