"""A lasting trouble is said at once, then once a minute, and when it is over."""

import logging

from corpus_site.running.trouble_log import TroubleLog


def test_trouble_of_two_minutes_takes_four_lines(caplog):
    log = TroubleLog(logging.getLogger("corpus_site.test"))

    for second in range(121):
        log.note("no room", clock=float(second))
    log.over("room again", clock=121.0)
    log.over("room again", clock=122.0)

    assert [record.getMessage() for record in caplog.records] == [
        "no room",
        "no room",
        "no room",
        "room again (after 121 s)",
    ]
