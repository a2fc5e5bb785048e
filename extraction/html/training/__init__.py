"""Training of the models that are shipped; nothing here runs in the product."""
