"""Addresses that nothing can answer."""

import pytest
from django.test import Client


@pytest.mark.parametrize(
    "address", ["/display/%00/", "/payouts/?casino=%00", "/tables/%00/t1/", "/api/systems/%00/"]
)
def test_a_nul_in_an_address_is_refused(client: Client, address: str) -> None:
    assert client.get(address).status_code == 400


def test_a_nul_in_a_form_is_refused(client: Client) -> None:
    assert client.post("/login/", {"username": "me\x00re", "password": "-"}).status_code == 400
