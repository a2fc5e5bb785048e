"""Checked form → what is searched for, and the words for it."""

from presentation.wording.figures import grouped
from presentation.wording.times import day
from search.articles.reading import language_name
from search.models import Subcorpus
from search.opened_index import current_snapshot
from search.query_form import QueryForm
from search.requested import SearchRequest
from search.wording.slice_words import slice_words

_SCOPE_WORDS = {
    "articles": "articles",
    "comments": "comments",
    "both": "articles and comments",
}
_STORIES_WORDS = {"all": "", "once": ", each story once"}
_COPIES_WORDS = {
    "once": "copies counted once",
    "all": "every copy counted",
    "originals": "originals only",
}


def request_of(form: QueryForm) -> SearchRequest:
    """Make the request of a form that can run."""
    filters = form.filters()
    sample = form.value("sample")
    return SearchRequest(
        q=form.address.get("q"),
        ql=form.value("ql"),
        match_case=form.value("case"),
        scope=filters["in"],
        publications=tuple(filters["pub"]),
        languages=tuple(filters["lang"]),
        sections=tuple(filters["sec"]),
        authors=tuple(filters["author"]),
        first_day=filters["from"],
        last_day=filters["to"],
        copies=filters["copies"],
        stories=filters["stories"],
        since=filters["since"],
        only=tuple(filters["only"]),
        near=form.value("near"),
        not_near=form.value("notnear"),
        reach=form.value("reach"),
        overlaps=form.value("overlap"),
        one_each=form.value("one"),
        sort=form.value("sort"),
        n=form.value("n"),
        context=form.value("ctx"),
        whole_sentence=form.value("view") != "kwic",
        sentences=1 if form.value("view") == "wide" else 0,
        after=form.value("after"),
        sample=sample if isinstance(sample, int) else None,
        percent=sample if isinstance(sample, float) else None,
        seed=form.value("seed"),
        generation=form.value("asof"),
    )


def whole_from(generation: int) -> int:
    """Return the first generation with all its texts, 0 where this one has them."""
    first = current_snapshot().history_from
    return first if generation < first else 0


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
    parts += _named("in section", filters["sec"])
    parts += _named("by", filters["author"])
    if filters["lang"]:
        parts.append("in " + _list([language_name(code) for code in filters["lang"]]))
    if filters["from"]:
        parts.append("from " + day(filters["from"]))
    if filters["to"]:
        parts.append("to " + day(filters["to"]))
    words = " ".join(parts) + ", " + _COPIES_WORDS[filters["copies"]]
    words += _STORIES_WORDS[filters["stories"]]
    if filters["since"] is not None:
        words += f", only what came in after generation {grouped(filters['since'])}"
    for text in filters["only"]:
        words += f"; only {slice_words(text, form.publications)}"
    return words + _subcorpus(form.subcorpus)


def _named(before: str, values: list[str]) -> list[str]:
    kept = [f"“{value}”" for value in values if not value.startswith("-")]
    without = [f"“{value[1:]}”" for value in values if value.startswith("-")]
    words = [f"{before} {_list(kept)}"] if kept else []
    return words + ([f"not {before} {_list(without)}"] if without else [])


def _subcorpus(subcorpus: Subcorpus | None) -> str:
    return f", subcorpus “{subcorpus.name}”" if subcorpus else ""


def _names(form: QueryForm, slugs: list[str]) -> list[str]:
    return [form.publications.get(slug, slug) for slug in slugs]


def _list(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
