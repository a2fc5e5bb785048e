"""Rules of publications: versions, trials of a draft, what was published."""
