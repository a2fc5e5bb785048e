"""Style sheets with one declaration a line, and no long line in what pages are made of.

    python tests/page_sources.py          lays the style sheets out
    python tests/page_sources.py --check  says what `make lint` refuses and changes nothing

djangofmt lays out the templates; scripts are laid out by hand.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import cssbeautifier

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("templates", "static")
COLUMNS = 120


def laid_out(style: str) -> str:
    """Write a style sheet with one declaration a line."""
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.newline_between_rules = False
    options.space_around_combinator = True
    options.max_preserve_newlines = 2
    options.end_with_newline = True
    return cssbeautifier.beautify(style, options)


def faults(path: Path) -> Iterator[str]:
    """Say what is wrong with one file."""
    text = path.read_text()
    name = path.relative_to(ROOT)
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > COLUMNS:
            yield f"{name}:{number}: {len(line)} columns, {COLUMNS} at most"
    if path.suffix == ".css" and laid_out(text) != text:
        yield f"{name}: not laid out; run python tests/page_sources.py"


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".css", ".html", ".js"}:
                yield path


def main() -> int:
    if "--check" not in sys.argv[1:]:
        for path in sources():
            if path.suffix == ".css":
                path.write_text(laid_out(path.read_text()))
    found = [fault for path in sources() for fault in faults(path)]
    sys.stdout.write("\n".join([*found, ""]) or "Page sources are laid out.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
