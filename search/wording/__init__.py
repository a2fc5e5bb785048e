"""What the search pages say in words: slices, values, periods, remarks, near spellings."""
