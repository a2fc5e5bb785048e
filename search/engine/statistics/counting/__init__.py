"""What several questions count with: values, groups, windows, periods, spread."""
