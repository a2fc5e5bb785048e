"""What the search pages say in words: numbers, dates, values, slices, remarks, near spellings."""
