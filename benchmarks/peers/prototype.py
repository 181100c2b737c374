"""The bare prototype: paho, one COPY transaction a batch, two ledger rows an event.

No order, no hashes, no receipts, no duplicates, no running balances: what moving the bytes
from the broker to the disk costs in Python at the least.
"""

import msgspec
import psycopg

from benchmarks.peers.subscriber import TIERS, Subscriber, arguments

BATCH = 1_000
AMOUNT = sum(TIERS.values())
TABLE = """
    CREATE TABLE ledger (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        gaming_table text NOT NULL, boot bigint NOT NULL, seq bigint NOT NULL,
        account text NOT NULL, amount bigint NOT NULL
    )
"""
COPY = "COPY ledger (gaming_table, boot, seq, account, amount) FROM STDIN"


class Event(msgspec.Struct):
    """What a ledger row needs of an event."""

    type: str
    table: str
    boot: int
    seq: int


def main() -> None:
    mqtt_url, database_url = arguments()
    decoder = msgspec.json.Decoder(Event)
    with psycopg.connect(database_url) as connection, connection.cursor() as cursor:
        cursor.execute(TABLE)
        connection.commit()
        subscriber = Subscriber(mqtt_url)
        while True:
            bodies = subscriber.batch(BATCH)
            rows = []
            for body in bodies:
                event = decoder.decode(body)
                if event.type == "round_started":
                    key = f"{event.table}\t{event.boot}\t{event.seq}"
                    rows.append(f"{key}\toperator\t{-AMOUNT}\n{key}\tpools\t{AMOUNT}\n")
            with cursor.copy(COPY) as copy:
                copy.write("".join(rows))
            connection.commit()
            subscriber.stored(len(bodies))


if __name__ == "__main__":
    main()
