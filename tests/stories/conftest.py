"""The card room of the stories."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import override_settings

from tests.conftest import Broker
from tests.support.houses.cardroom import CardRoom
from tests.support.servers.databases import FreshDatabase


@pytest.fixture
def open_room(fresh_database: FreshDatabase, broker: Broker) -> Generator[Callable[..., CardRoom]]:
    """Opens a card room with the given terms; everything in it stops with the test."""
    with ExitStack() as stack, override_settings(CLAIM_WAIT_S=60):

        def opened(terms: dict[str, Any], **options: Any) -> CardRoom:
            return CardRoom(stack, terms, **options)

        yield opened
