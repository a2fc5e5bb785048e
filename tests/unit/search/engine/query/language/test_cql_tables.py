"""The parser's tables that are kept as data: those of the grammar, and done without if need be."""

from lark.parsers.lalr_analysis import Shift

from search.engine.query.language import cql_tables
from search.engine.query.language.cql_tables import TABLES_PATH, cql_parser, made_parser

# Regions, labels, meets, tables, macros, functions, tails: something of each.
QUERY = '"a" [lemma = "b" %c & pos != "N.*"]{1,3} @1:[]* a:[word = "x"] :: a.lemma = "y" within s'


def automaton(parser):
    """Number the states in the order they are reached from the start; actions by these numbers.

    Which number Lark gives to a state follows the order of its sets, another one in each process.
    """
    table = parser.parser.parser._parse_table
    numbers, waiting, found = {table.start_states["start"]: 0}, [table.start_states["start"]], []
    for state in waiting:  # grows while it is gone through
        actions = []
        for token, (action, argument) in sorted(table.states[state].items()):
            if action is Shift:
                if argument not in numbers:
                    numbers[argument] = len(numbers)
                    waiting.append(argument)
                actions.append((token, "shift", numbers[argument]))
            else:
                actions.append((token, "reduce", argument.origin.name, str(argument.expansion)))
        found.append(actions)
    return found


def terminals(parser):
    return {terminal.name: terminal.pattern.value for terminal in parser.terminals}


def test_tables_are_those_of_the_grammar():
    kept, made = cql_parser(), made_parser()

    assert TABLES_PATH.read_bytes().startswith(cql_tables.tables_name())
    assert automaton(kept) == automaton(made)
    assert terminals(kept) == terminals(made)
    assert kept.parse(QUERY) == made.parse(QUERY)


def test_parser_is_made_where_the_tables_are_of_another_grammar(tmp_path, monkeypatch):
    other = tmp_path / "tables"
    other.write_bytes(b"lark 0.1, grammar 00\n" + TABLES_PATH.read_bytes())
    monkeypatch.setattr(cql_tables, "TABLES_PATH", other)

    parser = cql_parser.__wrapped__()

    assert parser.parse(QUERY) == cql_parser().parse(QUERY)


def test_parser_is_made_where_there_are_no_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(cql_tables, "TABLES_PATH", tmp_path / "none")

    assert cql_parser.__wrapped__().parse(QUERY) == cql_parser().parse(QUERY)


def test_tables_are_written_as_they_are_kept(tmp_path, monkeypatch):
    written = tmp_path / "tables"
    monkeypatch.setattr(cql_tables, "TABLES_PATH", written)

    cql_tables.write_tables()

    assert written.read_bytes().startswith(cql_tables.tables_name())
    assert automaton(cql_parser.__wrapped__()) == automaton(cql_parser())
