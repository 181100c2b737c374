"""Where to tamper: places of the evening, and changes of them, as SQL."""

from tests.support.proof import sentences
from tests.support.proof.evening_hands import Hands

A_ROUND = "(SELECT max(seq) FROM jackpot_entry WHERE type = 'round_completed')"
A_HAND = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'hand_called')"
CONFIRMED = (
    "(SELECT min(seq) FROM jackpot_entry WHERE type = 'confirm_claim' AND outcome ? 'confirmed')"
)
REJECTED = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'reject_claim')"
PAID = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'pay')"
LATE = """(SELECT min(seq) FROM jackpot_entry WHERE outcome->'flags' ? 'late')"""
AHEAD = """(SELECT min(seq) FROM jackpot_entry WHERE outcome->'flags' ? 'ahead_of_gap')"""
RELEASED = "(SELECT min(seq) FROM jackpot_entry WHERE type = 'gap_released')"
LAST = "(SELECT max(seq) FROM jackpot_entry)"
A_FEED = "(SELECT max(number) FROM jackpot_transfer WHERE reason = 'contribution')"
A_HOLD = "(SELECT min(number) FROM jackpot_transfer WHERE reason = 'hold')"
A_BLOCK = "(SELECT max(number) - 5 FROM jackpot_block)"
LAST_BLOCK = "(SELECT max(number) FROM jackpot_block)"
POOL = "(SELECT id FROM jackpot_account WHERE code = 'royal:pool')"


def entry(change: str, where: str) -> str:
    return f"UPDATE jackpot_entry SET {change} WHERE seq = {where}"


def body_of(change: str, where: str) -> str:
    return (
        f"UPDATE tables_tableevent SET body = {change} WHERE id ="
        f" (SELECT event_id FROM jackpot_entry WHERE seq = {where})"
    )


def command(change: str, where: str) -> str:
    return (
        f"UPDATE jackpot_command SET {change} WHERE number ="
        f" (SELECT command FROM jackpot_entry WHERE seq = {where})"
    )


def text(replaced: str, by: str) -> str:
    """The event's bytes with other words in them."""
    plain = f"replace(convert_from(body, 'UTF8'), '{replaced}', '{by}')"
    return f"convert_to({plain}, 'UTF8')"


def forged(kind: str, body: str) -> list[str]:
    """A command put into the queue and into the order by hand, with a faked outcome."""
    return [
        f"""INSERT INTO jackpot_command (system_id, number, kind, body, first, issued_at, key)
            SELECT system_id, max(number) + 1, '{kind}', '{body}', 'mere', now(),
                   gen_random_uuid() FROM jackpot_command GROUP BY system_id""",
        f"""INSERT INTO jackpot_entry (system_id, seq, at, kind, type, command, body_hash, outcome)
            SELECT system_id, seq + 1, at, 'command', '{kind}',
                   (SELECT max(number) FROM jackpot_command), body_hash, '{{}}'
            FROM jackpot_entry WHERE seq = {LAST}""",
    ]


_OTHERWISE = {  # by the column's type
    "character varying": "'other'",
    "text": "'other'",
    "timestamp with time zone": "{0} - interval '1 minute'",
    "date": "{0} - 2",  # by night, too, while the gaming day is still that of the evening before
    "bytea": "{0} || 'x'",
    "boolean": "NOT {0}",
    "bigint": "{0} + 1",
    "integer": "{0} + 1",
    "smallint": "{0} + 1",
    "uuid": "gen_random_uuid()",
    "jsonb": "CASE jsonb_typeof({0}) WHEN 'array' THEN {0} || '[1]' ELSE {0} || '{{\"x\": 1}}' END",
}


def otherwise(hands: Hands, table: str, column: str) -> str:
    """Another value than the column's own."""
    ((kind,),) = hands.connection.execute(
        "SELECT data_type FROM information_schema.columns"
        " WHERE (table_name, column_name) = (%s, %s)",
        [table, column],
    ).fetchall()
    return _OTHERWISE[kind].format(column)


def unchecked(table: str) -> str:
    """Take the checks and references of a table away."""
    return f"""
        DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT conname FROM pg_constraint
                        WHERE conrelid = '{table}'::regclass AND contype IN ('c', 'f') LOOP
                EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', name);
            END LOOP;
        END $$
    """


ONE_PERSON = "ALTER TABLE jackpot_command DROP CONSTRAINT command_takes_two_people"

Tampered = dict[str, tuple[list[str], list[str]]]
"""What is done: its statements, and what must be said then."""


def assert_found(hands: Hands, statements: list[str], expected: list[str]) -> None:
    """The verifier names what was tampered with, and says what it said of it before."""
    hands.tamper(*statements)
    report = hands.look()
    output = "\n".join(report.lines())
    assert not [words for words in expected if words not in output], output
    sentences.agree(hands.test, report)
