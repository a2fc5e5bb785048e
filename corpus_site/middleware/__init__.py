"""What every request passes: bounds of its cost, headers, health, parameters."""
