"""The story stage: passes that group tellings of one event."""
