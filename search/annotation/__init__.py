"""Tags and lemmas without Django: tagger, lemmatizer, lexicon, vertical text."""
