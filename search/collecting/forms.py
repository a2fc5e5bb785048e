"""The form of an import: a file, the collection it goes to, and how it is read."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from extraction.text.language import NAMES
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH_OF_FILE,
    WorkEndedError,
    run_limited,
)
from feeds.models import Publication
from feeds.sources.publications import MAX_NAME_LENGTH
from search.asking.reference_lists import MAX_TOKENS, ReadList, read_list
from search.collecting.uploads import MAX_UPLOAD_BYTES, ending_of
from search.engine.given.columns import FIELDS, chosen_columns
from search.engine.given.files import TAKEN_SUFFIXES
from search.engine.given.lines import ENCODINGS, numbered_lines
from search.models import ReferenceList

MAX_LIST_BYTES = 20_000_000  # it is read while somebody waits


class ReferenceListForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """A list of words with their frequencies in a corpus elsewhere."""

    file = forms.FileField(
        label="File",
        help_text=(
            "A word and its frequency a line, with a tab, comma or semicolon between them; UTF-8, "
            "up to 20 MB. A first line without numbers names the columns."
        ),
        error_messages={"empty": "The file is empty."},
        widget=forms.ClearableFileInput(attrs={"accept": ".txt,.tsv,.csv"}),
    )
    n_tokens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_TOKENS,
        label="Tokens of that corpus",
        help_text="Where the list is cut at a frequency. Empty: the sum of what is listed.",
    )

    class Meta:
        model = ReferenceList
        fields = ("name", "source", "n_tokens")
        labels = {"name": "Name", "source": "Source"}
        help_texts = {
            "name": "Short, as it stands in addresses: bnc-written",
            "source": "Corpus, its makers, its licence",
        }
        widgets = {"source": forms.Textarea(attrs={"rows": 2})}

    field_order = ("file", "name", "source", "n_tokens")
    found: ReadList

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_LIST_BYTES:
            raise ValidationError("The file is larger than 20 MB.")
        try:
            # In a child, for somebody waits and it may be made against us.
            self.found = run_limited(lambda: read_list(numbered_lines(file.file)), FOR_A_REQUEST)
        except WorkEndedError as ended:
            raise ValidationError(TOO_MUCH_OF_FILE) from ended
        except ValueError as problem:
            raise ValidationError(str(problem)) from problem
        if self.found.n_faults > len(self.found.counts):
            raise ValidationError(
                [f"No list of words: {self.found.n_faults} lines are none.", *self.found.faults]
            )
        if not self.found.counts:
            raise ValidationError("There is no word with a frequency in it.")
        return file


class GivingForm(forms.Form):
    """Texts of one's own."""

    file = forms.FileField(
        label="File",
        help_text=(
            "Plain text (.txt), a table with a column of texts (.csv, .tsv), JSONL, vertical "
            "(.vert, .vrt), CoNLL-U, TEI (.xml), or a zip of these; also packed by gzip, bzip2 or "
            "xz. Up to 1 GB; larger ones by manage.py import_texts."
        ),
        error_messages={"empty": "The file is empty."},
        widget=forms.ClearableFileInput(attrs={"accept": ",".join(TAKEN_SUFFIXES)}),
    )
    collection = forms.CharField(
        max_length=MAX_NAME_LENGTH,
        label="Collection",
        help_text="A new name makes a new collection; a known one takes more texts.",
        widget=forms.TextInput(attrs={"list": "collections-known", "autocomplete": "off"}),
    )
    note = forms.CharField(
        max_length=2_000,
        required=False,
        label="Where the texts are from",
        help_text="Source and licence, for its readers. Left empty, the note there stays.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    language = forms.ChoiceField(
        required=False,
        choices=[("", "Detect it of each text"), *NAMES.items()],
        label="Language",
        help_text="A language that a text itself names is taken before either.",
    )
    encoding = forms.ChoiceField(
        required=False,
        choices=[("", "UTF-8, or UTF-16 with its mark"), *((name, name) for name in ENCODINGS[1:])],
        label="Encoding",
    )
    columns = forms.CharField(
        max_length=1_000,
        required=False,
        label="Columns",
        help_text=(
            "Usual names of columns, keys and attributes are known (text, title, date, author, "
            f"url …), others by text=Inhalt, title=Titel. Fields: {', '.join(FIELDS)}. "
            "Up to 30 others are kept under their own names, to filter and to count by."
        ),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if not ending_of(file.name):
            raise ValidationError(f"Its name does not end in {', '.join(TAKEN_SUFFIXES)}.")
        if file.size > MAX_UPLOAD_BYTES:
            raise ValidationError("The file is larger than 1 GB.")
        return file

    def clean_columns(self) -> str:
        columns: str = self.cleaned_data["columns"]
        try:
            chosen_columns(columns)
        except ValueError as problem:
            raise ValidationError(str(problem)) from problem
        return columns

    @property
    def known_names(self) -> list[str]:
        """Names of the collections that there are."""
        return list(Publication.collections.order_by("name").values_list("name", flat=True))
