"""The fetcher in a session of its own: one document, or the turns of several hosts at once."""

import asyncio

from feeds.crawler.fetching.exchange import FetchRequest, FetchResult, NetworkPolicy
from feeds.crawler.fetching.http import Fetcher


async def fetch_one(request: FetchRequest, policy: NetworkPolicy) -> FetchResult:
    async with Fetcher(policy) as fetcher:
        return await fetcher.fetch(request)


async def fetch_many(turns, policy: NetworkPolicy, **options) -> list[list[FetchResult]]:
    """Fetch turns at the same time, each one request after the other."""
    async with Fetcher(policy, **options) as fetcher:

        async def run(turn):
            return [await fetcher.fetch(request) for request in turn]

        return list(await asyncio.gather(*(run(turn) for turn in turns)))
