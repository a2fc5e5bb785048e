"""The site: settings, the order of the stages, running it, and the shell of its pages."""

import os

# Before numpy is imported anywhere. Its threads spin on the small matrices of the extractor: with
# them a page cost 35 ms of CPU, without them 18, and every worker process has a core of its own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
