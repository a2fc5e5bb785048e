"""Checked form → what is searched for, and the words for it."""

from datetime import date

from search.models import Subcorpus
from search.query_form import QueryForm
from search.reading import language_name
from search.requested import SearchRequest

_SCOPE_WORDS = {
    "articles": "articles",
    "comments": "comments",
    "both": "articles and comments",
}
_COPIES_WORDS = {
    "once": "copies counted once",
    "all": "every copy counted",
    "originals": "originals only",
}


def request_of(form: QueryForm) -> SearchRequest:
    """Make the request of a form that can run."""
    filters = form.filters()
    return SearchRequest(
        q=form.address.get("q"),
        ql=form.value("ql"),
        match_case=form.value("case"),
        scope=filters["in"],
        publications=tuple(filters["pub"]),
        languages=tuple(filters["lang"]),
        first_day=filters["from"],
        last_day=filters["to"],
        copies=filters["copies"],
        sort=form.value("sort"),
        n=form.value("n"),
        context=form.value("ctx"),
        whole_sentence=form.value("view") == "sentence",
        after=form.value("after"),
        generation=form.value("asof"),
    )


def base_words(form: QueryForm) -> str:
    """Say which texts the numbers rest on: `articles of Karoo Courier, copies counted once`."""
    filters = form.filters()
    parts = [_SCOPE_WORDS[filters["in"]]]
    kept = [slug for slug in filters["pub"] if not slug.startswith("-")]
    left_out = [slug[1:] for slug in filters["pub"] if slug.startswith("-")]
    if kept:
        parts.append("of " + _list(_names(form, kept)))
    if left_out:
        parts.append("without " + _list(_names(form, left_out)))
    if filters["lang"]:
        parts.append("in " + _list([language_name(code) for code in filters["lang"]]))
    if filters["from"]:
        parts.append("from " + _day(filters["from"]))
    if filters["to"]:
        parts.append("to " + _day(filters["to"]))
    words = " ".join(parts) + ", " + _COPIES_WORDS[filters["copies"]]
    return words + _subcorpus(form.subcorpus)


def _subcorpus(subcorpus: Subcorpus | None) -> str:
    return f", subcorpus “{subcorpus.name}”" if subcorpus else ""


def _names(form: QueryForm, slugs: list[str]) -> list[str]:
    return [form.publications.get(slug, slug) for slug in slugs]


def _list(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
