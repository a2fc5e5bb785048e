"""Names of token attributes and document columns as queries spell them."""

from search.engine.index.joined_names import AGENCY
from search.engine.index.segments.text_blocks import TextBlock
from search.engine.query.ast import Attribute
from search.engine.query.errors import QueryError

ATTRIBUTES: dict[str, Attribute] = {
    "word": Attribute.WORD,
    "lemma": Attribute.LEMMA,
    "pos": Attribute.TAG,
    "tag": Attribute.TAG,
    "lower": Attribute.LOWER,
    "folded": Attribute.FOLDED,
    "stem": Attribute.STEM,
    "ascii": Attribute.ASCII,
}

# Spelled text_… as in CQP, where they are attributes of the region <text>.
TEXT_COLUMNS: dict[str, str] = {
    "text_publication": "publication",
    "text_section": "section",
    "text_author": "author",
    "text_agency": AGENCY,
    "text_language": "language",
    "text_kind": "kind",
    "text_changed": "changed",
    "text_rights": "rights",
    "text_undated": "undated",
    "text_date": "day",
    "text_day": "day",
    "text_month": "month",
    "text_year": "year",
    "text_id": "key",
}

# Kinds of blocks that matches can be kept within; where one paragraph ends the index does not know.
BLOCKS: dict[str, int] = {
    kind.label: int(kind) for kind in TextBlock if kind is not TextBlock.PARAGRAPH
}


def attribute_named(name: str, position: int) -> Attribute:
    """Return the token attribute of a name.

    Raises
    ------
    QueryError
        If there is none; lists those there are.
    """
    try:
        return ATTRIBUTES[name]
    except KeyError:
        known = tuple(ATTRIBUTES)
        raise QueryError(f"There is no token attribute “{name}”.", position, known) from None


def text_column_named(name: str, position: int) -> str:
    """Return the document column of a name such as ``text_kind``.

    Raises
    ------
    QueryError
        If there is none; lists those there are.
    """
    try:
        return TEXT_COLUMNS[name]
    except KeyError:
        known = tuple(TEXT_COLUMNS)
        raise QueryError(f"There is no text attribute “{name}”.", position, known) from None
