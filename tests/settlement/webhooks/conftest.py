"""A receiver of the house's own network."""

from collections.abc import Iterator
from ipaddress import ip_network

import pytest
from pytest_django import Settings

from tests.support.cases.webhook_receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with receiving() as receiver:
        yield receiver
