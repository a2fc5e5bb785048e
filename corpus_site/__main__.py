"""`broadsheet` and `python -m corpus_site`: Django's command line, as manage.py in a checkout.

Settings that cannot be used end it with a sentence.
"""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from corpus_site.running.memory import collect_seldom


def main() -> None:
    """Run the command that the arguments name."""
    collect_seldom()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "corpus_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Broadsheet cannot start: {error}")


if __name__ == "__main__":
    main()
