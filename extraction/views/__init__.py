"""Pages of how texts are found: site rules with their studio, comparisons of extractors."""
