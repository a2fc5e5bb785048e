"""CQL's parser, from its tables: kept as data, since Lark takes ten times as long to make them.

`python -m search.engine.query.language.cql_tables` writes the file anew after a change of the
grammar or of Lark. Its first line names both; where it names others, the parser is made of the
grammar, which is as right and takes longer.
"""

import hashlib
import io
from functools import cache
from pathlib import Path

import lark

from search.engine.query.language.cql_grammar import CQL_GRAMMAR

TABLES_PATH = Path(__file__).parent / "data" / "cql_tables.lark"


@cache
def cql_parser() -> lark.Lark:
    """Give the parser of CQL, of its tables where they are those of the grammar."""
    try:
        with TABLES_PATH.open("rb") as file:
            if file.readline() == tables_name():
                return lark.Lark.load(file)
    except OSError:
        pass  # an installation without the file
    return made_parser()


def made_parser() -> lark.Lark:
    """Make the parser of the grammar, some 0.1 s of processor time."""
    return lark.Lark(CQL_GRAMMAR, parser="lalr", propagate_positions=True)


def tables_name() -> bytes:
    """Name grammar and Lark that tables are made of, as a line."""
    digest = hashlib.sha256(CQL_GRAMMAR.encode()).hexdigest()
    return f"lark {lark.__version__}, grammar {digest}\n".encode()


def write_tables() -> None:
    """Write the file of tables anew."""
    tables = io.BytesIO()
    made_parser().save(tables)
    TABLES_PATH.write_bytes(tables_name() + tables.getvalue())


if __name__ == "__main__":
    write_tables()
