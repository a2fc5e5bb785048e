"""Tags and lemmas without Django: tagger, lemmatizer, lexicon."""

import os

# The tagger's products are small: a second thread of numpy's library only waits for the first, and
# waiting costs half the speed. Programs that have read numpy before decide for themselves.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
