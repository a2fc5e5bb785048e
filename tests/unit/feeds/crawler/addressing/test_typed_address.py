import pytest

from feeds.crawler.addressing.typed_address import BadAddressError, read_typed


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("  https://karoo.example/news  ", "https://karoo.example/news"),
        ("karoo.example", "https://karoo.example/"),
        ("karoo.example:8080/news", "https://karoo.example:8080/news"),
        ("http://intranet/paper", "http://intranet/paper"),
        ("localhost", "https://localhost/"),
        ("htp://karoo.example", "http://karoo.example/"),
        ("https://karoo.example/a,b?c=d e", "https://karoo.example/a,b?c=d%20e"),
    ],
)
def test_addresses_are_read_as_they_are_meant(typed, url):
    assert read_typed(typed).url == url


@pytest.mark.parametrize(
    ("typed", "sentence", "suggestion"),
    [
        ("Karoo Courier", "“Karoo Courier” is a name, not a web address.", ""),
        ("karoocourier", "“karoocourier” lacks its end, such as .co.za.", ""),
        ("news@karoo.example", "“news@karoo.example” is an e-mail", "https://karoo.example/"),
        ("mailto:news@karoo.example", "“mailto:news@karoo", "https://karoo.example/"),
        ("editor@gmail.com", "“editor@gmail.com” is an e-mail address", ""),
        ("www,karoo,example", "“www,karoo,example” is not a web", "https://www.karoo.example/"),
        ("www. karoo.example/news", "“www. karoo", "https://www.karoo.example/news"),
        ("karoo.example isibani.example", "2 addresses stand here.", "karoo.example"),
        ("ftp://karoo.example/", "The address starts with “ftp:”; only http and https", ""),
        ("", "The address is empty.", ""),
        ("http://name:word@karoo.example/", "The address carries a user name or a password.", ""),
    ],
)
def test_slips_are_named_with_what_may_be_meant(typed, sentence, suggestion):
    with pytest.raises(BadAddressError) as caught:
        read_typed(typed)

    assert str(caught.value).startswith(sentence)
    assert caught.value.suggestion == suggestion
