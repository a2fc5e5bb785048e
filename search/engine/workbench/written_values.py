"""Values as answers hold them: nothing that JSON cannot say."""

import math
from typing import Any

DIGITS = 6  # behind the point

Answer = dict[str, Any]


def rounded(value: float) -> float | None:
    """Round to six digits after the point; None for what is no number."""
    return round(value, DIGITS) if math.isfinite(value) else None
