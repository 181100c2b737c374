"""A unit's new key is heard: the one before, which held beside it, ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import connection

from tables.protocol import signature
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.table_ref import TableRef
from tables.protocol.topics import Address


def end_overlaps(
    messages: Sequence[InboundMessage],
    addresses: Sequence[Address | None],
    table_refs: Mapping[tuple[str, str], TableRef],
) -> None:
    """End the overlap of each table of which the unit signed with the new key."""
    overlapping = {place: ref for place, ref in table_refs.items() if ref.other_key}
    if not overlapping:
        return
    heard = {
        ref.table_id
        for message, address in zip(messages, addresses, strict=True)
        if address
        and address.kind != "readings"  # the display may have it before the unit
        and (ref := overlapping.get((address.system, address.table)))
        and signature.is_genuine(*signature.split(message.body), ref.mac_key)
    }
    with connection.cursor() as cursor:
        for table_id in sorted(heard):
            cursor.execute("SELECT new_key_is_heard(%s)", [table_id])
