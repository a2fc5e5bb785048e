"""Word lists and macros that queries name: keeping one, finding those of a query, deleting one."""

from typing import Any

from extraction.text.tokens import tokenize
from search.asking.address import Address
from search.asking.values import as_stored
from search.engine.query.language.macros import Macros, names_of_macros
from search.engine.query.language.word_lists import WordLists, is_phrase, names_of_lists
from search.models import Macro, SavedQuery, WordList


class ListInUseError(Exception):
    """A word list or macro cannot go; raised by `remove_list`, said to the user."""

    def __init__(self, queries: tuple[SavedQuery | Macro, ...]) -> None:
        super().__init__(f"{len(queries)} saved queries and macros use this")
        self.queries = queries


def lists_in(text: str, macros: Macros = ()) -> WordLists:
    """Return the lists that a query or its macros name; without a `$` no database is asked."""
    names = names_of_lists(" ".join([text, *(body for _, body in macros)]))
    if not names:
        return ()
    rows = WordList.objects.filter(name__in=names).order_by("name")
    return tuple((row.name, tuple(map(_in_tokens, row.members))) for row in rows)


def _in_tokens(entry: str) -> str:
    """Part the words of a phrase as the corpus' tokenizer does; a word alone stays as it is."""
    entry = as_stored(entry)
    if not is_phrase(entry):
        return entry
    return " ".join(entry[start:end] for start, end in tokenize(entry))


def macros_in(text: str) -> Macros:
    """Return all macros if a query names one, for macros use others."""
    if not names_of_macros(text):
        return ()
    return tuple(Macro.objects.order_by("name").values_list("name", "text"))


def keep_list(row: WordList | Macro, owner: Any) -> None:
    row.owner = owner
    row.save()


def remove_list(row: WordList | Macro) -> None:
    """Delete a list or macro that no saved query or macro rests on.

    Raises
    ------
    ListInUseError
        With what uses it; nothing is deleted then.
    """
    users = tuple(
        query
        for query in SavedQuery.objects.filter(parameters__contains="ql=cql")
        if _uses(Address.parse(query.parameters).get("q"), row)
    )
    macros = tuple(other for other in Macro.objects.all() if _uses(other.text, row))
    if users or macros:
        raise ListInUseError((*users, *macros))
    row.delete()


def _uses(text: str, row: WordList | Macro) -> bool:
    """Say whether a query names a list or macro, itself or through its macros."""
    known = dict(macros_in(text))
    seen: set[str] = set()
    waiting = [text]
    while waiting:
        piece = waiting.pop()
        named = names_of_macros(piece)
        if row.name in (named if isinstance(row, Macro) else names_of_lists(piece)):
            return True
        waiting += [known[name] for name in named - seen if name in known]
        seen |= named
    return False
