"""Web push: the example of RFC 8291, and the command that makes keys."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command

from settlement.notifications import choices, push
from settlement.notifications.choices import Quiet
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.servers.outside.push_service import BROWSER, SECRET, bytes_of

# RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
    "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)  # fmt: skip


def test_the_example_of_the_standard() -> None:
    key = ec.derive_private_key(int.from_bytes(bytes_of(SENDER)), ec.SECP256R1())
    body = push.encrypted(PLAIN, BROWSER, SECRET, key, bytes_of(SALT))
    assert body == bytes_of(SEALED)


@pytest.mark.django_db
def test_keys_are_made_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_key")
    public, private = capsys.readouterr().out.split()
    assert public.startswith("PUSH_PUBLIC_KEY=B")
    assert private.startswith("PUSH_PRIVATE_KEY=")
    assert choices.open_ways(ClaimHouse() and person("sione")) == ("page",)
    choices.choose(person("sione"), {}, Quiet())
