"""Look-ups that hang hold nothing up."""

import asyncio
import socket
import threading

import pytest
from integration.feeds.fetching import fetch_many

from feeds.crawler.fetching import names
from feeds.crawler.fetching.exchange import FetchRequest, NetworkPolicy
from feeds.crawler.fetching.ip_addresses import ForbiddenAddressError
from feeds.crawler.fetching.names import ProxyLookup, ResolvedAddress, look_up
from feeds.crawler.outcomes import Outcome


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


def test_look_ups_that_never_end_leave_a_bounded_number_of_threads(name_server, monkeypatch):
    monkeypatch.setattr(names, "MOST_LOOK_UPS", 3)
    monkeypatch.setattr(names, "_under_way", names._UnderWay())

    async def patient(host: str, seconds: float = 30) -> str:
        try:
            async with asyncio.timeout(seconds):
                await look_up(host, 80)
        except TimeoutError:
            return "waited"
        except socket.gaierror as error:
            return str(error.errno == socket.EAI_AGAIN)
        return "found"

    async def run() -> list[str]:
        said = [await patient("quick.example") for _ in range(4)]
        said += [await patient(f"slow{number}.example", 0.05) for number in range(3)]
        return said + [await patient(f"slow{number}.example") for number in (3, 4)]

    said = asyncio.run(run())

    assert said == ["found"] * 4 + ["waited"] * 3 + ["True"] * 2
    assert [name for name in name_server if name.startswith("slow")] == [
        "slow0.example", "slow1.example", "slow2.example",
    ]  # fmt: skip


def test_a_resolver_that_hangs_for_good_ends_a_fetch_with_its_time_and_no_worker_stays(
    name_server, monkeypatch
):
    monkeypatch.setattr(names, "_under_way", names._UnderWay())

    requests = [[FetchRequest(f"http://slow{n}.example/")] for n in (1, 2)]

    turns = asyncio.run(fetch_many(requests, NetworkPolicy(total_seconds=0.2)))

    assert [turn[0].outcome for turn in turns] == [Outcome.TIMEOUT] * 2


def refuse_all(address: str, port: int) -> None:
    raise ForbiddenAddressError(f"{address} is refused on {port}.")


def test_proxy_lookup_that_hung_is_not_repeated_and_silences_no_other(name_server):
    lookup = ProxyLookup(patience_seconds=0.5)

    async def run() -> list[str]:
        for host in ("a.example", "a.example", "none.example", "slow.example", "slow.example"):
            assert await lookup.refusal(host, 80, nothing_against) == ""
        return [await lookup.refusal("b.example", 80, refuse_all)]

    assert asyncio.run(run()) == ["93.184.215.14 is refused on 80."]
    assert name_server == ["a.example", "none.example", "slow.example", "b.example"]


def test_verdict_of_a_name_holds_for_its_port_and_a_minute(name_server):
    now = [0.0]
    lookup = ProxyLookup(clock=lambda: now[0])

    async def run() -> list[str]:
        said = [await lookup.refusal("a.example", 80, nothing_against)]
        said.append(await lookup.refusal("a.example", 8080, refuse_all))
        for now[0] in (59.0, 61.0):
            said.append(await lookup.refusal("a.example", 80, refuse_all))
        return said

    refused = "93.184.215.14 is refused on"
    assert asyncio.run(run()) == ["", f"{refused} 8080.", "", f"{refused} 80."]
