"""The program and its release, as sites and the readers of our archives see it."""

PRODUCT = "Broadsheet/0.3"
