import hashlib

from dedup.similarity.digest import text_digest


def test_text_digest_is_blake2b_of_128_bits_over_the_normalised_body():
    expected = hashlib.blake2b(b"a braai in the rain", digest_size=16).hexdigest()

    assert text_digest("A braai\n in the  RAIN") == expected


def test_text_digest_of_copies_with_other_quotes_and_breaks_is_equal():
    assert text_digest("“Ja-nee,” said Tannie Bets.\nThen rain.") == text_digest(
        '"Ja-nee," said Tannie Bets. Then rain.'
    )


def test_text_digest_of_an_edited_text_differs():
    assert text_digest("Ten people were hurt.") != text_digest("Eleven people were hurt.")


def test_text_digest_of_an_empty_text_is_empty():
    assert text_digest(" \n ") == ""
