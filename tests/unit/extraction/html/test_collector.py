import gc

import pytest

from extraction.html.collector import collector_paused


def test_collector_is_off_inside_and_on_again():
    with collector_paused():
        assert not gc.isenabled()

    assert gc.isenabled()


def test_collector_is_on_again_after_an_error():
    with pytest.raises(ValueError, match="unreadable"), collector_paused():
        raise ValueError("unreadable")

    assert gc.isenabled()


def test_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
