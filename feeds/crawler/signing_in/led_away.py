"""Where the address of an article leads that gives none: a section, the home page, a log-in.

A fetch that was redirected → the sentence for its row and for the wizard's sample.
"""

from feeds.crawler.addressing.slugs import is_section_page
from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.signing_in.forms import shows_log_in

_ACCOUNT_WANTED = (
    "It asks for a name and a password: articles for subscribers are read with an account of "
    "yours, entered under “Accounts” on the newspaper’s page."
)


def led_away(result: FetchResult, asked: str) -> str:
    """Say where an article's address has led instead; "" where it gave a page of its own.

    Parameters
    ----------
    result
        An answer.
    asked
        The address as it was listed.
    """
    final = original_address(result.final_url)
    if not result.hops or not is_section_page(final, original_address(asked)):
        return ""
    sentence = f"The address leads to {result.final_url}, which is no article."
    if shows_log_in(result.body, result.final_url, result.content_type):
        return f"{sentence} {_ACCOUNT_WANTED}"
    return sentence
