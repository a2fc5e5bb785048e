"""The form of an import: a file, and which of its pages (→ `Wish`)."""

from pathlib import Path
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from feeds.crawler.addressing.links import BadPattern
from feeds.models import Publication
from feeds.warc_files.choosing import WarcChoice, hosts_of, languages_of
from feeds.warc_files.files import SUFFIXES
from feeds.warc_files.waiting_files import import_folder, waiting_names
from feeds.warc_files.wishes import Wish

# A browser that sends more is at it for an hour; the folder and the command take any size.
MAX_UPLOAD_BYTES = 1_000_000_000
_DAY = forms.DateInput(attrs={"type": "date"})


class WarcImportForm(forms.Form):
    """A file that is uploaded, or one that lies on this machine."""

    file = forms.FileField(
        required=False,
        label="A file of yours",
        help_text=(
            "WARC (also gzip) or WACZ, up to 1 GB; the upload goes from the disk once it is read. "
            "Larger ones: put them into the folder of the next field, or use manage.py import_warc."
        ),
        error_messages={"empty": "The file is empty."},
        widget=forms.ClearableFileInput(attrs={"accept": ".warc,.gz,.wacz"}),
    )
    waiting = forms.ChoiceField(required=False, label="Or one that lies here")
    hosts = forms.CharField(
        max_length=500,
        required=False,
        label="Hosts",
        help_text="As paper.example (with its subdomains) or *.example. Empty: all.",
    )
    address_pattern = forms.CharField(
        max_length=500,
        required=False,
        label="Address has",
        help_text="A regular expression (RE2), such as /news/. Front pages are left out always.",
    )
    languages = forms.CharField(
        max_length=200,
        required=False,
        label="Languages",
        help_text="Codes, such as en, af. Pages that name another are left out.",
    )
    first_day = forms.DateField(required=False, label="Captured since", widget=_DAY)
    last_day = forms.DateField(required=False, label="Captured until", widget=_DAY)
    publication = forms.ModelChoiceField(
        Publication.kept.order_by("name"),
        to_field_name="slug",
        required=False,
        empty_label="Each host its own; new ones are made",
        label="Texts go to",
    )

    by_reference = forms.BooleanField(
        required=False,
        label="Leave the records where they are",
        help_text=(
            "Saves their room in the archive: pages are read from this file for as long as they "
            "are here, so it must stay where it is, on every machine. Backups do not hold it, and "
            "what is erased here stays in it."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["waiting"]
        names = waiting_names()
        field.choices = [("", "–"), *((name, name) for name in names)]  # type: ignore[attr-defined]
        field.help_text = f"WARC and WACZ files in {import_folder()}; they stay there."

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        file, waiting = found.get("file"), found.get("waiting")
        if "file" not in self.errors and "waiting" not in self.errors and not file and not waiting:
            raise ValidationError("Choose a file.")
        if file and waiting:
            raise ValidationError("Choose one file: yours, or one that lies here.")
        if file and not file.name.lower().endswith(SUFFIXES):
            self.add_error("file", f"Its name does not end in {', '.join(SUFFIXES)}.")
        if file and file.size > MAX_UPLOAD_BYTES:
            self.add_error("file", "The file is larger than 1 GB.")
        if file and found.get("by_reference"):
            said = "An upload goes from the disk: choose a file that lies here."
            self.add_error("by_reference", said)
        self._check_choice(found)
        return found

    def _check_choice(self, found: dict[str, Any]) -> None:
        hosts = WarcChoice(hosts=hosts_of(found.get("hosts") or ""))
        addresses = WarcChoice(address_pattern=found.get("address_pattern") or "")
        days = WarcChoice(first_day=found.get("first_day"), last_day=found.get("last_day"))
        parts = (("hosts", hosts), ("address_pattern", addresses), ("last_day", days))
        for name, choice in parts:
            try:
                choice.check()
            except BadPattern as problem:
                self.add_error(name, str(problem))
        try:
            languages_of(found.get("languages") or "")
        except BadPattern as problem:
            self.add_error("languages", str(problem))

    def wish(self, user_id: int | None) -> Wish:
        """Give what was asked for, of a valid form."""
        found = self.cleaned_data
        choice = WarcChoice(
            hosts_of(found["hosts"]),
            found["address_pattern"].strip(),
            languages_of(found["languages"]),
            found["first_day"],
            found["last_day"],
        )
        return Wish(choice, found["publication"], user_id, found["by_reference"])

    @property
    def waiting_path(self) -> Path:
        """Give the path of the file that lies here, of a valid form."""
        return import_folder() / str(self.cleaned_data["waiting"])
