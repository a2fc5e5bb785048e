"""What stands still until a person acts: found from present rows, kept with its history."""
