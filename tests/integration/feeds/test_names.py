"""Look-ups that hang hold nothing up."""

import asyncio
import threading

import pytest

from feeds.crawler.fetching import names
from feeds.crawler.fetching.names import ProxyLookup, ResolvedAddress, look_up


@pytest.fixture
def name_server(monkeypatch):
    """A name server that never answers for names that begin with "slow"; counts its questions."""
    asked: list[str] = []
    end = threading.Event()

    def answer(name: str, port: int, *_: object) -> list[ResolvedAddress]:
        asked.append(name)
        if name.startswith("slow"):
            end.wait(60)
        if name.startswith("none"):
            raise OSError("no such name")
        return [ResolvedAddress("93.184.215.14", port, 2, 6)]

    monkeypatch.setattr(names, "_addresses", answer)
    yield asked
    end.set()


def nothing_against(address: str, port: int) -> None:
    assert (address, port) == ("93.184.215.14", 80)


def test_look_up_gives_addresses(name_server):
    assert [found.text for found in asyncio.run(look_up("paper.example", 80))] == ["93.184.215.14"]


def test_look_up_that_hangs_does_not_hold_the_loop_or_its_end(name_server):
    async def run() -> str:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await look_up("slow.example", 80)
        return (await look_up("quick.example", 80))[0].text

    assert asyncio.run(run()) == "93.184.215.14"


def test_proxy_lookup_asks_once_for_a_name_and_no_more_after_one_that_hung(name_server):
    lookup = ProxyLookup(patience_seconds=2.0)

    async def run(*hosts: str) -> list[str]:
        return [await lookup.refusal(host, 80, nothing_against) for host in hosts]

    said = asyncio.run(run("a.example", "a.example", "none.example", "slow.example", "b.example"))

    assert said == [""] * 5
    assert name_server == ["a.example", "none.example", "slow.example"]
