"""What users keep: queries, subcorpora, feeds."""
