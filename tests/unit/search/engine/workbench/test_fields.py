"""Reading the keys of a request: what is said twice, and what no answer could repeat."""

import pytest

from search.engine.workbench.errors import RequestError
from search.engine.workbench.fields import fields_of_line


def test_words_given_twice_are_read_once():
    fields = fields_of_line(b'{"want": ["kwic", "count", "kwic"]}')

    assert fields.choices("want", ("kwic", "count"), "kwic") == ("kwic", "count")


def test_unknown_word_is_told_the_words_there_are():
    fields = fields_of_line(b'{"strategy": "x"}')

    with pytest.raises(RequestError, match="is not one of a, b\\."):
        fields.choice("strategy", ("", "a", "b"), "")


@pytest.mark.parametrize("value", [b"NaN", b"-Infinity", b"1e400"])
def test_number_that_json_cannot_write_is_no_identifier(value):
    fields = fields_of_line(b'{"id": %s}' % value)

    with pytest.raises(RequestError, match="is not a string or a number"):
        fields.scalar("id")
