"""What is known of a page's rights when it is captured, and whether a copy may be kept.

Input → output: a harvest's hosts → for each page its statements; a page whose site reserves its
rights, where the policy keeps no copy, comes back with that outcome and without its body.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from propcache.api import cached_property

from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rights.page_statements import body_statements, header_statements
from feeds.crawler.rights.statements import Rights, Statement, said_words, to_json, verdict
from feeds.models import Page, PageKind, RightsPolicy
from feeds.rights import (
    HostRights,
    general_policy,
    host_of,
    known_rights,
    policy_of,
    rights_of_hosts,
)

_TEXTS = frozenset({PageKind.ARTICLE, PageKind.SAMPLE})


class CaptureRights:
    """Judges the pages of one harvest.

    Parameters
    ----------
    robots : mapping of str to str
        The texts of robots.txt of the hosts that were visited, by their names.
    results : iterable of FetchResult
        What came; redirects may have led to other hosts.
    """

    def __init__(self, robots: Mapping[str, str], results: Iterable[FetchResult]) -> None:
        self._hosts: dict[str, HostRights] = rights_of_hosts(robots) if robots else {}
        others = {host_of(result.final_url) for result in results if result.hops}
        self._hosts |= known_rights(others - self._hosts.keys() - {""})

    def judge(
        self, page: Page, host: str, result: FetchResult
    ) -> tuple[FetchResult, list[list[str]]]:
        """Return what may be kept of a result, and what was said, as the column holds it.

        `host` is the name of the host that was asked first.
        """
        if page.kind not in _TEXTS or not result.outcome.is_answer:
            return result, []
        said = self._said(host, result)
        policy = policy_of(page.publication, self._general)
        if policy is RightsPolicy.NO_ARCHIVE and result.outcome is Outcome.OK:
            said = [*body_statements(result.body), *said]
            if verdict(said) is Rights.RESERVED:
                result = _refused(result, said)
        return result, to_json(said)

    @cached_property
    def _general(self) -> RightsPolicy:
        return general_policy()

    def _said(self, host: str, result: FetchResult) -> list[Statement]:
        if result.hops:
            host = host_of(result.final_url)
        elif original_address(result.url) != result.url:
            host = ""
        if not host:
            return []
        known = self._hosts.get(host)
        of_host = known.of(result.final_url) if known else []
        return [*header_statements(result.headers), *of_host]


def _refused(result: FetchResult, said: list[Statement]) -> FetchResult:
    sentence = f"The site reserves its rights, and no copy is kept: {said_words(said)}."
    return replace(result, outcome=Outcome.RIGHTS_RESERVED, error=sentence, body=b"")
