"""Ask the web process of this container whether it works: exit code 0 or 1."""

import sys
import urllib.request

ADDRESS = "http://127.0.0.1:8000/healthz"

if __name__ == "__main__":
    try:
        with urllib.request.urlopen(ADDRESS, timeout=8) as answer:
            sys.exit(answer.status != 200)
    except OSError as error:
        sys.exit(f"{ADDRESS}: {error}")
