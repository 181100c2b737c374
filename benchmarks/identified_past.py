"""Who was paid in a long past: a player of every claim that `benchmarks.search.more` adds.

Each of them won several times. One payment in ten is so much that the rules ask for a form of it.
"""

PAYMENTS_OF_A_PLAYER = 4
SMALL, LARGE, ONE_IN = 400, 12_000, 10  # whole units of the currency
# Without guards, as those claims: the database is a copy, and gone afterwards.
_IDENTIFIED = """
    ALTER TABLE settlement_identification DISABLE TRIGGER USER;
    CREATE TEMPORARY TABLE past AS
        SELECT k.id AS claim, k.system_id AS system, k.number, k.opened_at AS at,
               k.number / {each} AS who,
               1000000::bigint * CASE k.number % {one_in} WHEN 0 THEN {large} ELSE {small}
                   END AS micros
        FROM settlement_claim k JOIN settlement_payout p ON p.claim_id = k.id
        WHERE k.number >= {first};
    UPDATE jackpot_hit h SET held = past.micros, confirmed = past.micros,
        payees = jsonb_build_array(jsonb_build_object('line', 1, 'seat', 3, 'role', 'winner',
            'amount', past.micros, 'parts', jsonb_build_object('cash', past.micros),
            'payments', jsonb_build_array(past.number), 'state', 'paid'))
    FROM past WHERE h.system_id = past.system AND h.number = past.number;
    UPDATE settlement_payout p SET amount = past.micros, cash = past.micros
    FROM past WHERE p.claim_id = past.claim;
    INSERT INTO settlement_identification (claim_id, seat, name, born, document, document_number,
                                           tax_number, address, country, note, person_id, at, key)
    SELECT past.claim, 3, 'Player Number' || past.who,
           date '1940-01-01' + (past.who * 7 % 1500)::integer * 10, 'passport',
           'NZ' || 100000 + past.who, '', '', '', '', anna.id, past.at, gen_random_uuid()
    FROM past, auth_user AS anna WHERE anna.username = 'anna' ORDER BY past.number;
    DROP TABLE past;
    ANALYZE;
"""


def identified(first: int) -> str:
    """The statements that identify who was paid by claims from number `first` on."""
    numbers = {"first": first, "each": PAYMENTS_OF_A_PLAYER, "one_in": ONE_IN}
    return _IDENTIFIED.format(small=SMALL, large=LARGE, **numbers)
