"""What the query strings of the article pages may hold, and the forms of lexicon and saved queries.

What searches take stands in `search.asking`.
"""

import re
from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict

from extraction.models import Article, ArticleKind
from extraction.text.language_names import LANGUAGES
from feeds.models import Crawl, Publication
from search.articles.filters import ORIGINS, RIGHTS_CHOICES, BrowseRequest
from search.articles.threads import SORTS, ThreadRequest
from search.asking.definitions import Operation
from search.asking.parameters import MOST_CRAWLS
from search.asking.word_lists import lists_in, macros_in
from search.engine.annotation.languages import UNIVERSAL, tagged_language
from search.engine.annotation.lexicon import LONGEST_TAGS, LexiconError, parse_entry
from search.engine.query.errors import QueryError
from search.engine.query.language.macros import BUILT_IN, names_of_macros
from search.engine.query.language.parser import check_macro
from search.lexicon.changes import EntryValues
from search.lexicon.corrections import Wish, scopes_of
from search.models import LexiconEntry, Macro, Scope, Subcorpus, WordList

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
FIRST_NEWSPAPER = 1605  # Carolus' “Relation”; days near year 1 have no moment in UTC
_LAST_YEAR = 9998  # the day after must be one too

_LIST_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A query with a list of 1,000 words takes half a second for 129,000 forms.
MAX_LIST_WORDS = 1_000
MAX_LIST_WORD = 100
MAX_MACRO = 2_000
MAX_ADDRESS_LIST = 2_000_000
MAX_GRAMMAR = 50_000  # the English one has 7,000 characters


def _takes_comments() -> forms.BooleanField:
    return forms.BooleanField(required=False, label="With the comments on its articles")


def _is_pinned() -> forms.BooleanField:
    return forms.BooleanField(
        required=False,
        label="Pinned: the very texts of now",
        help_text="Otherwise it is worked out anew as texts come in.",
    )


class BrowseForm(forms.Form):
    """Filters of `/articles/`."""

    pub = forms.SlugField(required=False)
    origin = forms.ChoiceField(
        choices=[(name, kind.label) for name, kind in ORIGINS.items()],
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no origin: newspapers or collections."},
    )
    kind = forms.ChoiceField(
        choices=ArticleKind.choices,
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no kind of text."},
    )
    lang = forms.ChoiceField(
        choices=list(LANGUAGES.items()),
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no language that is told apart here."},
    )
    rights = forms.ChoiceField(
        choices=[(name, said.label) for name, said in RIGHTS_CHOICES.items()],
        required=False,
        error_messages={"invalid_choice": "“%(value)s” are no rights: reserved, granted or none."},
    )
    crawl = forms.IntegerField(
        min_value=1,
        max_value=MOST_CRAWLS,
        required=False,
        error_messages={"invalid": "A crawl is named by its number."},
    )
    day = forms.DateField(
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "This is no day: write it as 2026-09-24."},
    )
    copies = forms.ChoiceField(
        choices=[("only", "only copies")],
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no choice of copies."},
    )
    changed = forms.ChoiceField(
        choices=[("only", "only changed")],
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no choice of changed texts."},
    )
    after = forms.CharField(required=False)

    def clean_pub(self) -> str:
        slug: str = self.cleaned_data["pub"]
        if slug and not Publication.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"No publication has the short name “{slug}”.")
        return slug

    def clean_crawl(self) -> int | None:
        number: int | None = self.cleaned_data["crawl"]
        if number is not None and not Crawl.objects.filter(pk=number).exists():
            raise forms.ValidationError(f"There is no crawl {number}.")
        return number

    def clean_day(self) -> date | None:
        day: date | None = self.cleaned_data["day"]
        if day is not None and not FIRST_NEWSPAPER <= day.year <= _LAST_YEAR:
            raise forms.ValidationError("No newspaper is of that day.")
        return day

    def clean_after(self) -> tuple[datetime, int] | None:
        """Read the place in the list: microseconds since 1970 and the id of the last row."""
        text: str = self.cleaned_data["after"]
        if not text:
            return None
        moment, _, key = text.partition(".")
        try:
            return _EPOCH + int(moment) * _MICROSECOND, int(key)
        except (ValueError, OverflowError):
            raise forms.ValidationError("The place in the list is not one of ours.") from None

    @staticmethod
    def write_after(after: tuple[datetime, int]) -> str:
        moment, key = after
        return f"{(moment - _EPOCH) // _MICROSECOND}.{key}"

    def to_request(self) -> BrowseRequest:
        values: dict[str, Any] = self.cleaned_data
        return BrowseRequest(
            publication=values["pub"],
            origin=values["origin"],
            kind=values["kind"],
            language=values["lang"],
            rights=values["rights"],
            crawl=values["crawl"],
            day=values["day"],
            only_copies=values["copies"] == "only",
            only_changed=values["changed"] == "only",
            after=values["after"],
        )

    def unknown_names(self) -> list[str]:
        return sorted(set(self.data) - set(self.fields))

    def given(self) -> dict[str, str]:
        """Give the filters that are set, in the fields' order, without the place in the list."""
        return {
            name: value
            for name in self.fields
            if name != "after" and (value := str(self.data.get(name, "")).strip())
        }


class CommentsForm(forms.Form):
    """Order and choice of the comments under an article; wrong values fall back to the first."""

    order = forms.ChoiceField(choices=list(SORTS.items()), required=False)
    p = forms.IntegerField(min_value=1, max_value=100_000, required=False)
    root = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    words = forms.CharField(max_length=200, required=False)

    def to_request(self, article: Article, focus: int | None = None) -> ThreadRequest:
        self.is_valid()
        values = self.cleaned_data
        return ThreadRequest(
            article,
            sort=values.get("order") or "thread",
            page=values.get("p") or 1,
            root=values.get("root"),
            words=values.get("words") or "",
            focus=None if values.get("p") or values.get("root") else focus,
        )


class TaggedForm(forms.Form):
    """How the tagged view is shown; wrong values fall back to the first."""

    mark = forms.ChoiceField(
        choices=[
            ("decided", "what people decided"),
            ("unsure", "tagger unsure (p < 0.6)"),
            ("first", "first seen in this article"),
        ],
        required=False,
    )
    show = forms.ChoiceField(
        choices=[("tag", "tag"), ("lemma", "lemma"), ("both", "tag and lemma")], required=False
    )
    all = forms.BooleanField(required=False)
    s = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    t = forms.IntegerField(min_value=1, max_value=10_000_000, required=False)

    def value(self, name: str) -> Any:
        self.is_valid()
        return self.cleaned_data.get(name)


class LexiconForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms are generic in the stubs only
    """A word whose tag an editor decides; a word that has an entry is changed."""

    class Meta:
        model = LexiconEntry
        fields = ("word", "tag", "lemma", "language_of_origin", "note", "source")
        labels = {
            "tag": "Tags",
            "note": "Meaning or note",
            "language_of_origin": "From which language",
            "source": "Source",
        }
        help_texts = {
            "word": "A word, or several in a row, in small letters unless it is a name.",
            "tag": "Penn tag, such as NN for a noun; several to choose from as NN|VB. Of words in "
            "a row one for all, or one for each, as RB RB.",
            "lemma": "Dictionary form, of words in a row one for each; empty: as the lemmatizer "
            "says.",
            "source": "A dictionary, a person, an address.",
        }
        widgets = {
            "tag": forms.TextInput(attrs={"list": "tags", "autocapitalize": "characters"}),
            "note": forms.TextInput(),
        }

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        word, tag = values.get("word"), values.get("tag")
        if not word or not tag:
            return values
        try:
            entry = parse_entry(word, tag, values.get("lemma", ""))
        except LexiconError as error:
            self.add_error("tag" if " tag" in str(error) else "word", str(error))
            return values
        # A word that is there is changed, so it may be there.
        self.instance = LexiconEntry.objects.filter(word__iexact=entry.word).first() or (
            self.instance
        )
        return values | {"word": entry.word, "tag": entry.tag, "lemma": entry.lemma}

    def to_values(self) -> EntryValues:
        return EntryValues(**{name: self.cleaned_data[name] for name in self.Meta.fields})


class CorrectionForm(forms.Form):
    """How a token should be tagged, and how far that reaches."""

    tag = forms.CharField(
        max_length=LONGEST_TAGS,
        label="Right tag",
        help_text="Penn tag, such as NN for a noun.",
        widget=forms.TextInput(
            attrs={"list": "tags", "autocapitalize": "characters", "autocomplete": "off"}
        ),
    )
    lemma = forms.CharField(
        max_length=100, required=False, help_text="Empty: the lexicon’s, else the lemmatizer’s."
    )
    # The tags with which somebody was shown what an empty lemma would become.
    lemma_of = forms.CharField(max_length=LONGEST_TAGS, required=False)
    scope = forms.ChoiceField(
        choices=Scope.choices, label="How far", widget=forms.RadioSelect, initial=Scope.TOKEN
    )
    word = forms.CharField(
        max_length=100,
        required=False,
        label="Spelling that it rules over",
        help_text="For “always” and this text. Empty: a name keeps its capital, another word loses "
        "that of a first word. Small letters rule wherever a capital says nothing.",
    )
    note = forms.CharField(max_length=300, required=False, label="Why, for the editor")

    lemma_then = ""  # what an empty lemma would become, when that is to be looked at first

    def __init__(self, language: str, data: QueryDict | None = None) -> None:
        super().__init__(data)
        cast("forms.ChoiceField", self.fields["scope"]).choices = scopes_of(language)
        entry = tagged_language(language)
        if entry is not None and entry.tag_set is UNIVERSAL:
            self.fields["tag"].help_text = "Universal tag, such as NOUN for a noun."
            self.fields["lemma"].help_text = "Empty: as the lemmatizer says."

    def to_wish(self) -> Wish:
        values = self.cleaned_data
        return Wish(
            Scope(values["scope"]), values["tag"], values["lemma"], values["note"], values["word"]
        )


class PasteForm(forms.Form):
    """A list of words from elsewhere."""

    text = forms.CharField(
        label="Words, one a line",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
        help_text="word, tags, lemma, language of origin, meaning, source: separated by tabs or "
        "semicolons; the first two are needed.",
        strip=False,
    )


class IgnoreForm(forms.Form):
    """A word that new words are to leave out for ever."""

    word = forms.CharField(max_length=100, help_text="As the list of new words spells it.")

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"].lower()
        if len(word.split()) > 1:
            raise forms.ValidationError("Write one word without spaces.")
        return word


class WordListForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms are generic in the stubs only
    """A name, and words or phrases, one a line."""

    class Meta:
        model = WordList
        fields = ("name", "words")
        help_texts = {
            "name": "Letters, digits and _; in CQL it is written with a $ before it.",
            "words": "As they stand in the texts, one a line; a line of several words is a phrase. "
            "Taken literally but in RE($name).",
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].removeprefix("$")
        if not _LIST_NAME.fullmatch(name):
            raise forms.ValidationError(
                f"“{name}” is no name of a list: a letter, then letters, digits or _."
            )
        if WordList.objects.filter(name=name).exists():
            raise forms.ValidationError(f"There is a list “{name}” already.")
        return name

    def clean_words(self) -> str:
        lines = (" ".join(line.split()) for line in self.cleaned_data["words"].splitlines())
        words = list(dict.fromkeys(filter(None, lines)))
        longest = max(map(len, words), default=0)
        if longest > MAX_LIST_WORD:
            raise forms.ValidationError(f"A line has at most {MAX_LIST_WORD} characters.")
        if len(words) > MAX_LIST_WORDS:
            raise forms.ValidationError(
                f"A list has at most {MAX_LIST_WORDS} lines; these are {len(words)}."
            )
        return "\n".join(words)


class SketchGrammarForm(forms.Form):
    """A sketch grammar, and which version it was written after; checked where it is kept."""

    text = forms.CharField(
        label="Grammar",
        max_length=MAX_GRAMMAR,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 30, "spellcheck": "false", "class": "code"}),
    )
    note = forms.CharField(label="What is changed", max_length=200, required=False)
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if not text.strip() and "shipped" not in self.data:
            raise forms.ValidationError("Write a grammar, or take the one that ships.")
        return text


class MacroForm(forms.ModelForm):  # type: ignore[type-arg] # Django's forms are generic in the stubs only
    """A name, and a piece of CQL."""

    class Meta:
        model = Macro
        fields = ("name", "text")
        labels = {"text": "CQL"}
        help_texts = {
            "name": "Letters, digits and _; in CQL it is written /name[…].",
            "text": "A piece of a query. $0, $1 … stand for what is given in the brackets.",
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].removeprefix("/")
        if not _LIST_NAME.fullmatch(name) or name in BUILT_IN:
            raise forms.ValidationError(
                f"“{name}” is no name of a macro: a letter, then letters, digits or _."
            )
        if Macro.objects.filter(name=name).exists():
            raise forms.ValidationError(f"There is a macro “{name}” already.")
        return name

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].strip()
        if len(text) > MAX_MACRO:
            raise forms.ValidationError(f"A macro has at most {MAX_MACRO} characters.")
        others = [row for row in names_of_macros(text) if not Macro.objects.filter(name=row)]
        if others:
            raise forms.ValidationError(f"There is no macro “/{others[0]}” that it could use.")
        try:
            check_macro(text, macros_in(text), lists_in(text, macros_in(text)))
        except QueryError as error:
            expected = f" Expected: {', '.join(error.expected)}." if error.expected else ""
            message = f"No query can hold this piece. {error.message}{expected}"
            raise forms.ValidationError(message) from None
        return text


class FolderForm(forms.Form):
    """A folder of past queries and its new name, empty for none."""

    folder = forms.CharField(max_length=60)
    name = forms.CharField(required=False, max_length=60)


class PastQueryForm(forms.Form):
    """Name, folder and note of a past query; with none of them it may be forgotten."""

    name = forms.CharField(required=False, max_length=100)
    folder = forms.CharField(required=False, max_length=60)
    note = forms.CharField(required=False, max_length=300)


class SaveQueryForm(forms.Form):
    """A name for a query; `query` is its address."""

    name = forms.CharField(max_length=100)
    note = forms.CharField(max_length=2_000, required=False, widget=forms.TextInput)
    query = forms.CharField(max_length=40_000, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, taken: Collection[str] = ()) -> None:
        super().__init__(data, auto_id="query_%s")
        self._taken = taken

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name in self._taken:
            raise forms.ValidationError(
                f"You have a query named “{name}” already: take another name, or remove that one."
            )
        return name


class SaveSubcorpusForm(forms.Form):
    """A name for the filters of a search, or for the texts with a hit of it."""

    FILTERS, TEXTS = "filters", "texts"

    name = forms.CharField(max_length=100)
    what = forms.ChoiceField(
        label="What it is",
        choices=[(TEXTS, "the texts with a hit"), (FILTERS, "the filters alone")],
        required=False,
    )
    takes_comments = _takes_comments()
    is_pinned = _is_pinned()
    is_shared = forms.BooleanField(required=False, label="Shared with everybody here")
    query = forms.CharField(max_length=40_000, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None) -> None:
        # Both forms stand on one page, so their ids must differ.
        super().__init__(data, auto_id="subcorpus_%s")


class ListSubcorpusForm(forms.Form):
    """A name for articles whose addresses are pasted."""

    name = forms.CharField(max_length=100)
    addresses = forms.CharField(
        max_length=MAX_ADDRESS_LIST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text="One a line: of articles on the web, or of their pages here.",
    )
    takes_comments = _takes_comments()
    is_pinned = _is_pinned()
    is_shared = forms.BooleanField(required=False, label="Shared with everybody here")

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="list_%s")


class JoinSubcorporaForm(forms.Form):
    """A name for the union, intersection or difference of subcorpora a reader may use."""

    name = forms.CharField(max_length=100)
    first = forms.ModelChoiceField(Subcorpus.objects.none(), empty_label=None)
    operation = forms.ChoiceField(
        choices=[
            (Operation.UNION.value, "or: texts of any of them"),
            (Operation.INTERSECTION.value, "and: texts that are in all of them"),
            (Operation.DIFFERENCE.value, "without: texts of the first that are in none of these"),
        ]
    )
    others = forms.ModelMultipleChoiceField(Subcorpus.objects.none())
    is_pinned = _is_pinned()
    is_shared = forms.BooleanField(required=False, label="Shared with everybody here")

    def __init__(self, subcorpora: QuerySet[Subcorpus], data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="join_%s")
        for name in ("first", "others"):
            cast("forms.ModelChoiceField", self.fields[name]).queryset = subcorpora  # type: ignore[type-arg]


class PinSubcorpusForm(forms.Form):
    """A name for the texts that a living subcorpus has now."""

    name = forms.CharField(max_length=100)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="pin_%s")
