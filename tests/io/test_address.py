"""Addresses in words, and as the system writes them."""

import pytest

from trueasync.io.address import in_words


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (("127.0.0.1", 80), "127.0.0.1:80"),
        (("::1", 80, 0, 0), "[::1]:80"),
        (("example.org", 443), "example.org:443"),
        ("/run/socket", "/run/socket"),
        (b"/run/socket", "/run/socket"),
        (b"\0hidden", "@hidden"),
        ("", ""),
    ],
)
def test_an_address_in_words(address, words):
    assert in_words(address) == words
