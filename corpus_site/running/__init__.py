"""How the work runs: executors, what keeps them alive, and what they do without room or work."""
