"""What nothing in the product uses, as `make lint` asks: vulture, told what templates name.

Settings stand in `pyproject.toml`. Beside the product's own Python, names count as used that stand
in a template, that Django's admin pages import or ask of a module, that stand in a dotted name of
the settings or in the allow list (`used_otherwise.py`), which says why for each. Tests are no use
of what they test.
"""

import ast
import re
import sys
from pathlib import Path

from vulture import Vulture
from vulture.config import make_config
from vulture.core import Item

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ("templates/**/*.html", "*/templates/**/*.html")
DOTTED_NAMES = ("corpus_site/settings.py", "corpus_site/urls.py")
ADMINS = ("*/admin.py", "*/*/admin.py", "*/*_admin.py")
# Variables, tags and filters; what stands outside of them names nothing of ours.
EXPRESSIONS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def names_in_templates() -> set[str]:
    texts = (path.read_text() for pattern in TEMPLATES for path in ROOT.glob(pattern))
    expressions = (found for text in texts for found in EXPRESSIONS.findall(text))
    return {name for each in expressions for name in re.findall(r"[A-Za-z_]\w*", each)}


def dotted_names() -> set[str]:
    texts = ((ROOT / path).read_text() for path in DOTTED_NAMES)
    return {name for text in texts for name in re.findall(r'"(?:\w+\.)+(\w+)"', text)}


def names_in_tables() -> set[str]:
    """Names that pages of Django's admin use; those they define, Django asks for one by one."""
    paths = (path for pattern in ADMINS for path in ROOT.glob(pattern))
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    imports = (node for node in nodes if isinstance(node, ast.ImportFrom))
    asked = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return asked | {alias.name for node in imports for alias in node.names}


def is_meant(item: Item) -> bool:
    """Whether it is a column, whose table keeps it, or is set on a row or a library's object."""
    is_column = item.typ == "variable" and "models" in {
        item.filename.stem,
        item.filename.parent.name,
    }
    return is_column or item.typ == "attribute"


def main() -> int:
    config = make_config()
    vulture = Vulture(
        ignore_names=config["ignore_names"], ignore_decorators=config["ignore_decorators"]
    )
    vulture.scavenge(config["paths"], exclude=config["exclude"])
    vulture.used_names |= names_in_templates() | dotted_names() | names_in_tables()
    found = vulture.get_unused_code(min_confidence=config["min_confidence"])
    unused = [item for item in found if not is_meant(item)]
    for item in unused:
        sys.stdout.write(f"{item.get_report()}\n")
    return int(bool(unused))


if __name__ == "__main__":
    sys.exit(main())
