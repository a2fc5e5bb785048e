"""Figures in words: grouped thousands, rates, shares, sizes, and numbers with their nouns."""

# U+202F: narrow, and groups stay together at a line's end.
THIN = "\u202f"
MISSING = "–"

_MILLION = 1_000_000


def grouped(value: float, decimals: int = 0) -> str:
    """Write a number with narrow spaces between its thousands.

    Examples
    --------
    >>> grouped(3135).replace(THIN, "_")
    '3_135'
    >>> grouped(-1234.56, 1).replace(THIN, "_")
    '−1_234.6'
    """
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN)
    return f"−{text}" if value < 0 else text


def counted(n: int, one: str, many: str = "") -> str:
    """Write a number and its noun; the plural takes an s unless it is given.

    Examples
    --------
    >>> counted(1, "hit"), counted(2, "hit"), counted(3, "row is", "rows are")
    ('1 hit', '2 hits', '3 rows are')
    """
    return f"{grouped(n)} {plural(n, one, many)}"


def plural(n: int, one: str, many: str = "") -> str:
    """Choose the form of a noun, without its number."""
    return one if n == 1 else many or f"{one}s"


def compact(value: float) -> str:
    """Write a large number in millions, a smaller one in full.

    Examples
    --------
    >>> compact(203_912_000).replace(THIN, "_")
    '203.9_M'
    >>> compact(642_118).replace(THIN, "_")
    '642_118'
    """
    if abs(value) < _MILLION:
        return grouped(value)
    return f"{grouped(value / _MILLION, 1)}{THIN}M"


def percent(share: float, decimals: int = 0) -> str:
    """Write a share from 0 to 1.

    Examples
    --------
    >>> percent(0.256).replace(THIN, "_"), percent(0.256, 1).replace(THIN, "_")
    ('26_%', '25.6_%')
    """
    return f"{grouped(100 * share, decimals)}{THIN}%"


def rate(value: float) -> str:
    """Write a rate: one decimal, two below ten."""
    return grouped(value, 2 if abs(value) < 10 else 1)


def per_million(count: float, base: float) -> str:
    """Hits per million tokens; a dash where the base is empty.

    Examples
    --------
    >>> per_million(3135, 32_400_000)
    '96.8'
    >>> per_million(3, 1_000_000)
    '3.00'
    >>> per_million(3, 0)
    '–'
    """
    return rate(count / base * _MILLION) if base else MISSING


def size(n_bytes: float) -> str:
    """Bytes in the largest decimal unit that fits.

    Examples
    --------
    >>> size(14_200), size(112_000_000_000)
    ('14 kB', '112 GB')
    >>> size(1_250_000)
    '1.2 MB'
    """
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= factor:
            value = n_bytes / factor
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{n_bytes:.0f} B"
