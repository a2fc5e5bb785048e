"""Messages to people and programs: what happened, to whom, how often, over which channel."""
