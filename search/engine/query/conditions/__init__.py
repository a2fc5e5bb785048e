"""What a token must be: conditions and regular expressions over lexicon and positions."""
