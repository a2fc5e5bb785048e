"""A file of sources, JSON or OPML by what it holds → its sources, or what is wrong with it."""

from extraction.source_files.bundle_json import read_bundle
from extraction.source_files.bundle_opml import read_source_list
from extraction.source_files.definitions import FileProblem, SourceFile

# As many feeds as are read of a file, with 2 kB for each.
MAX_FILE_BYTES = 40_000_000
_NEITHER = (
    "This is neither a bundle (JSON) nor an OPML list. Addresses of papers are typed under "
    "“Add a publication”, WARC files go to “Web archives”, own texts to “Collections”."
)
_BLANK = b"\xef\xbb\xbf \t\r\n"


def read_source_file(body: bytes) -> SourceFile:
    """Read a file of sources.

    Parameters
    ----------
    body
        A bundle in UTF-8, or an OPML list in any encoding that it declares.
    """
    if len(body) > MAX_FILE_BYTES:
        sentence = f"The file is larger than {MAX_FILE_BYTES // 1_000_000} MB."
        return SourceFile(problems=(FileProblem("", sentence),))
    if not body.strip(_BLANK):
        return SourceFile(problems=(FileProblem("", "The file is empty."),))
    if body.lstrip(_BLANK).startswith(b"<"):
        return read_source_list(body)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        place = f"line {line}, byte {error.start}"
        return SourceFile(problems=(FileProblem(place, "This is no text in UTF-8."),))
    if not text.lstrip().startswith(("{", "[")):
        return SourceFile(problems=(FileProblem("", _NEITHER),))
    return read_bundle(text)
