"""Numbers inside sentences, as the house writes them: narrow spaces between thousands."""

_THIN = "\u202f"


def grouped(value: float, decimals: int = 0) -> str:
    """Write a number.

    Examples
    --------
    >>> grouped(3135).replace(_THIN, "_"), grouped(-0.5, 1)
    ('3_135', '−0.5')
    """
    text = f"{abs(value):,.{decimals}f}".replace(",", _THIN)
    return f"−{text}" if value < 0 else text


def rate(value: float) -> str:
    """Write a rate: one decimal, two below ten."""
    return grouped(value, 2 if abs(value) < 10 else 1)


def counted(n: int, one: str, many: str) -> str:
    """Write a number and its noun."""
    return f"{grouped(n)} {one if n == 1 else many}"
