"""Word lists that queries name as `$name`: keeping one, finding those of a query, deleting one."""

from typing import Any

from search.addresses import Address
from search.models import SavedQuery, WordList
from search.query.word_lists import WordLists, names_of_lists


class ListInUseError(Exception):
    """A word list cannot go; raised by `remove_list`, said to the user."""

    def __init__(self, queries: tuple[SavedQuery, ...]) -> None:
        super().__init__(f"{len(queries)} saved queries use this list")
        self.queries = queries


def lists_in(text: str) -> WordLists:
    """Return the lists that a query names, by name; without a `$` the database is not asked."""
    names = names_of_lists(text)
    if not names:
        return ()
    rows = WordList.objects.filter(name__in=names).order_by("name")
    return tuple((row.name, row.members) for row in rows)


def keep_list(row: WordList, owner: Any) -> None:
    row.owner = owner
    row.save()


def remove_list(row: WordList) -> None:
    """Delete a list that no saved query rests on.

    Raises
    ------
    ListInUseError
        With the queries that use it; nothing is deleted then.
    """
    queries = SavedQuery.objects.filter(parameters__contains=row.name)
    users = tuple(
        query
        for query in queries
        if row.name in names_of_lists(Address.parse(query.parameters).get("q"))
    )
    if users:
        raise ListInUseError(users)
    row.delete()
