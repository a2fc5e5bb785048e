"""The pages that compose several apps: home, sources, the wizard, status."""
