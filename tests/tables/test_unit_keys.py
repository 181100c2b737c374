"""Keys of units at rest: sealed for their table, opened once, and those that stay shut."""

import itertools
import secrets
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from tables import keys
from tables.intake.key_faults import ALARM
from tables.keys import KeyDamaged, SealedKey
from tables.models import Alarm, GamingTable, Quarantine, TableEvent, UnitKey
from tables.process.sealing_keys import SealingKeyFault
from tables.process.transient_errors import is_outage
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.table_ref import TableRef, table_ref_of
from tests.support.units.table_units import (
    KEY,
    event,
    make_system,
    make_table,
    message_of,
    outcomes,
    take_in,
)

OLD, NEW = "11" * 32, "22" * 32


def table_of(table_ref: TableRef) -> GamingTable:
    return GamingTable.objects.select_related("system").get(pk=table_ref.table_id)


def sealed_key_of(table_ref: TableRef) -> SealedKey:
    row = UnitKey.objects.get(table=table_ref.table_id)
    return SealedKey(row.sealed_key, row.key_digest)


def signed_event(table_ref: TableRef, seq: int, key: str = KEY) -> InboundMessage:
    return message_of(table_ref, event(table_ref, seq), key=key)


@pytest.mark.django_db
def test_the_database_has_no_key(settings: Settings) -> None:
    settings.UNIT_KEYS_KEY = OLD
    one, other = make_table("t-1", key=KEY), make_table("t-2", key=KEY)
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(u)::text FROM tables_unitkey u")
        rows = [text for (text,) in cursor.fetchall()]
    assert len(rows) == 2
    assert not any(secret in row for row in rows for secret in (KEY, OLD))
    first, second = UnitKey.objects.values_list("sealed_key", flat=True)
    assert first != second  # whoever reads them does not see that two units have the same
    assert [keys.key_of(table_of(each)) for each in (one, other)] == [KEY, KEY]


@pytest.mark.django_db
def test_a_sealed_key_opens_for_no_other_table_and_the_others_go_on() -> None:
    system = make_system()
    one, other = (make_table(code, key=KEY, system=system) for code in ("t-1", "t-2"))
    copied_key = sealed_key_of(one)
    UnitKey.objects.filter(table=other.table_id).update(
        sealed_key=copied_key.sealed, key_digest=copied_key.digest
    )
    for seq in (1, 2):
        receipts = take_in(signed_event(one, seq), signed_event(other, seq))
        assert [outcomes(each)[seq] for each in receipts] == ["recorded", "wrong_mac"]
    assert set(TableEvent.objects.values_list("table", flat=True)) == {one.table_id}
    alarm = Alarm.objects.get(kind=ALARM)
    assert (alarm.subject, alarm.system_id) == (f"{system.code}/t-2", system.pk)
    assert "issue the unit another key" in alarm.message
    keys.give(table_of(other), KEY)
    (receipt,) = take_in(signed_event(other, 1))
    assert outcomes(receipt) == {1: "recorded"}  # it kept the event


@pytest.mark.django_db
def test_the_key_of_a_table_that_moved_opens_at_its_new_place() -> None:
    refs = [make_table("t-1", key=KEY), *(make_table("t-1") for _ in range(2))]
    for here, there in itertools.pairwise(refs):
        GamingTable.objects.filter(pk=here.table_id).update(
            moved_to=there.table_id, moved_entry=1, in_service=False
        )
    assert UnitKey.objects.count() == 3  # the trigger takes it along as it is
    receipts = take_in(*(signed_event(each, 1) for each in refs))
    assert [outcomes(each)[1] for each in receipts] == ["table_moved", "table_moved", "recorded"]
    call_command("seal_unit_keys")
    elsewhere = make_table("t-1")
    with pytest.raises(KeyDamaged):
        keys.opened(elsewhere.table_id, f"{elsewhere.system}/t-1", sealed_key_of(refs[2]))


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["digest", "byte", "sealing key", "short"])
def test_a_changed_row_stays_shut(change: str) -> None:
    make_table("t-2", key=KEY)  # opens, so the fault is the row's
    table_ref = make_table("t-1", key=KEY)
    key = sealed_key_of(table_ref)
    place = f"{table_ref.system}/{table_ref.table}"
    assert keys.opened(table_ref.table_id, place, key) == KEY
    changed = {
        "digest": key._replace(digest="ab" * 32),
        "byte": key._replace(sealed=key.sealed[:-1] + ("0" if key.sealed[-1] != "0" else "1")),
        "sealing key": key._replace(sealed="00000000" + key.sealed[8:]),
        "short": key._replace(sealed=key.sealed[:16]),
    }[change]
    with pytest.raises(KeyDamaged, match=place):
        keys.opened(table_ref.table_id, place, changed)


@pytest.mark.django_db
def test_with_a_wrong_sealing_key_nothing_is_recorded_or_refused(
    settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "unit-keys-key"
    file.write_text(OLD)
    settings.UNIT_KEYS_KEY, settings.UNIT_KEYS_KEY_FILE = "", str(file)
    signing, plain = make_table("t-1", key=KEY), make_table("t-2")
    for text in (NEW, "short", ""):
        file.write_text(text)
        keys._keyring_of.cache_clear()  # as a process that starts
        with pytest.raises(SealingKeyFault, match="UNIT_KEYS_KEY") as caught:
            take_in(signed_event(signing, 1), message_of(plain, event(plain, 1)))
        assert is_outage(caught.value)
        assert not TableEvent.objects.exists()
        assert not Quarantine.objects.exists()
    file.write_text(f"{NEW}\n{OLD}\n")  # the intake tries again, and reads it
    receipts = take_in(signed_event(signing, 1), message_of(plain, event(plain, 1)))
    assert [outcomes(each) for each in receipts] == [{1: "recorded"}, {1: "recorded"}]


@pytest.mark.django_db
def test_without_a_sealing_key_no_key_is_given(settings: Settings) -> None:
    settings.DEMO = False
    table = table_of(make_table("t-1"))
    with pytest.raises(SealingKeyFault, match="set it, or UNIT_KEYS_KEY_FILE"):
        keys.give(table, KEY)
    plain = table_ref_of(table)
    (receipt,) = take_in(message_of(plain, event(plain, 1)))
    assert outcomes(receipt) == {1: "recorded"}  # a floor whose units sign nothing needs none


@pytest.mark.django_db
def test_each_key_is_opened_once(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.UNIT_KEYS_KEY = OLD
    calls: list[str] = []
    real = keys._Keyring.open

    def counted(keyring: keys._Keyring, place: str, key: SealedKey) -> str:
        calls.append(place)
        return real(keyring, place, key)

    monkeypatch.setattr(keys._Keyring, "open", counted)
    table_ref = make_table("t-1", key=KEY)
    for seq in range(1, 6):
        take_in(signed_event(table_ref, seq))
    assert len(calls) == 1
    assert TableEvent.objects.count() == 5
    keys.give(table_of(table_ref), NEW)
    (refused,) = take_in(signed_event(table_ref, 6))
    (receipt,) = take_in(signed_event(table_ref, 6, NEW))
    assert (outcomes(refused), outcomes(receipt)) == ({6: "wrong_mac"}, {6: "recorded"})
    assert len(calls) == 2


@pytest.mark.django_db
def test_the_sealing_key_is_exchanged_for_another(settings: Settings) -> None:
    settings.UNIT_KEYS_KEY = OLD
    refs = [make_table(f"t-{number}", key=secrets.token_hex(32)) for number in range(3)]
    plain_keys = [keys.key_of(table_of(each)) for each in refs]
    (ended,) = UnitKey.objects.filter(table=refs[2].table_id)
    UnitKey.objects.filter(pk=ended.pk).update(  # a key before that still holds
        sealed_other=ended.sealed_key, other_digest=ended.key_digest, sealed_key="", key_digest=""
    )
    settings.UNIT_KEYS_KEY = NEW
    with pytest.raises(CommandError, match=r"These stay shut: .*t-0.* another key"):
        call_command("seal_unit_keys")
    settings.UNIT_KEYS_KEY = f"{NEW} {OLD}"
    call_command("seal_unit_keys")
    settings.UNIT_KEYS_KEY = NEW
    assert [keys.key_of(table_of(each)) for each in refs] == [*plain_keys[:2], ""]
    row = UnitKey.objects.get(pk=ended.pk)
    place = f"{refs[2].system}/t-2"
    other = SealedKey(row.sealed_other, row.other_digest)
    assert keys.opened(refs[2].table_id, place, other) == plain_keys[2]
    before = list(UnitKey.objects.order_by("pk").values())
    call_command("seal_unit_keys")
    assert list(UnitKey.objects.order_by("pk").values()) == before
