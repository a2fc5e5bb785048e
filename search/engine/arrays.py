"""Kinds of numpy arrays, by what their elements are; docstrings say their shapes."""

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Index = npt.NDArray[np.intp]
Array = npt.NDArray[Any]
