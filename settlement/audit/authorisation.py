"""Whether actions of real people stand behind what the order carried out, and payouts beside it.

Part of every reconciliation: the order itself knows names only.
"""

from __future__ import annotations

from django.db import connection

# Decisions that took effect, without the actions of those whom their command names. `last_kind` is
# the action that carries the command, `first_kind` what the other person did before it.
_DECISIONS = """
    SELECT n.seq, n.type, n.hit, c.first, c.second
    FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    JOIN (VALUES ('confirm_claim', 'confirm', 'verify'), ('pay', 'pay', NULL),
                 ('withhold', 'withhold', NULL), ('release', 'release', NULL),
                 ('unclaimed', 'unclaimed', NULL), ('dispute', 'dispute', NULL),
                 ('hold_claim', 'hold_claim', NULL), ('name_round', 'name_round', NULL),
                 ('separate_hand', 'separate_hand', NULL),
                 ('unpair_hand', 'unpair_hand', NULL),
                 ('reject_claim', 'second_rejection', 'propose_rejection'))
         AS kinds (type, last_kind, first_kind) ON kinds.type = n.type
    LEFT JOIN settlement_claim k ON (k.system_id, k.number) = (n.system_id, n.hit)
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.command IS NOT NULL
      AND NOT n.outcome ? 'refused'
      AND NOT (
        EXISTS (SELECT FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
                WHERE a.claim_id = k.id AND a.kind = kinds.last_kind AND a.command = n.command
                  AND u.username = coalesce(c.second, c.first))
        AND (kinds.first_kind IS NULL OR EXISTS (
                SELECT FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
                WHERE a.claim_id = k.id AND a.kind = kinds.first_kind AND u.username = c.first)))
    ORDER BY n.seq LIMIT 10
"""
# The same of what one person proposed and another agreed to.
_PROPOSALS = """
    SELECT n.seq, n.type, n.hit, c.first, c.second
    FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.command IS NOT NULL
      AND (n.type IN ('adjust_pool', 'reverse_claim', 'forfeit', 'resolve_dispute', 'lift_hold',
                      'close_tier', 'move_table', 'settle_order', 'reset_boots', 'delegate_claim',
                      'reverse_rejection', 'close_day', 'close_month', 'release_excluded',
                      'same_player')
           OR n.type IN ('missed_rounds', 'refuse_rounds') AND c.second IS NOT NULL)
      AND NOT n.outcome ? 'refused'
      AND NOT EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user u ON u.id = p.person_id JOIN auth_user o ON o.id = d.person_id
        WHERE p.system_id = n.system_id AND p.kind = c.kind AND p.body = c.body
          AND d.agreed AND d.command = n.command
          AND u.username = c.first AND o.username = c.second)
    ORDER BY n.seq LIMIT 10
"""
# Decisions on a hand by somebody who was dealt in, by what the command rests on.
_OWN_HANDS = """
    SELECT n.seq, n.type, n.hit, u.username FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    JOIN settlement_claim k ON (k.system_id, k.number) = (n.system_id, n.hit)
    JOIN auth_user u ON u.username IN (c.first, c.second)
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND NOT n.outcome ? 'refused'
      AND was_dealt_in(k.id, u.id, c.number)
    ORDER BY n.seq LIMIT 10
"""
# Confirmations above the casino's amount without the approval of another manager.
_ONE_MANAGER = """
    SELECT n.seq, n.hit FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    JOIN settlement_claim k ON (k.system_id, k.number) = (n.system_id, n.hit)
    CROSS JOIN LATERAL one_manager_may(n.system_id, c.number) AS highest
    CROSS JOIN LATERAL (
        SELECT coalesce(sum((b.outcome ->> 'confirmed')::bigint), 0)::bigint AS so_far
        FROM jackpot_entry b
        WHERE (b.system_id, b.hit, b.type) = (n.system_id, n.hit, n.type) AND b.seq < n.seq
          AND NOT b.outcome ? 'refused') AS earlier
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.type = 'confirm_claim'
      AND NOT n.outcome ? 'refused' AND so_far + (c.body ->> 'amount')::bigint > highest
      AND NOT EXISTS (
        SELECT FROM settlement_action a JOIN auth_user u ON u.id = a.person_id
        WHERE a.claim_id = k.id AND a.kind = 'approve' AND u.username NOT IN (c.first, c.second)
          AND a.body = jsonb_build_object('amount', c.body -> 'amount', 'confirmed', so_far))
    ORDER BY n.seq LIMIT 10
"""
# Confirmations without what the terms ask for above less than the claim had come to.
_NO_EVIDENCE = """
    SELECT n.seq, n.hit, lacking FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    JOIN settlement_claim k ON (k.system_id, k.number) = (n.system_id, n.hit)
    CROSS JOIN LATERAL (
        SELECT coalesce(sum((b.outcome ->> 'confirmed')::bigint), 0)::bigint AS so_far
        FROM jackpot_entry b
        WHERE (b.system_id, b.hit, b.type) = (n.system_id, n.hit, n.type) AND b.seq < n.seq
          AND NOT b.outcome ? 'refused') AS earlier
    CROSS JOIN LATERAL evidence_lacking(
        k.id, so_far + (c.body ->> 'amount')::bigint, c.body -> 'payees', c.number) AS lacking
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.type = 'confirm_claim'
      AND NOT n.outcome ? 'refused' AND lacking IS NOT NULL
    ORDER BY n.seq LIMIT 10
"""
# Adjustments above it, with what was adjusted of the prize on that gaming day, likewise.
_ONE_ADJUSTER = """
    SELECT n.seq FROM jackpot_command c
    JOIN jackpot_entry n ON (n.system_id, n.command) = (c.system_id, c.number)
    JOIN tables_jackpotsystem s ON s.id = n.system_id JOIN tables_casino o ON o.id = s.casino_id
    CROSS JOIN LATERAL one_manager_may(n.system_id, c.number) AS highest
    CROSS JOIN LATERAL (
        SELECT sum(abs((d.body ->> 'amount')::bigint)) AS so_far
        FROM jackpot_command d
        JOIN jackpot_entry b ON (b.system_id, b.command) = (d.system_id, d.number)
        WHERE d.system_id = c.system_id AND d.kind = c.kind AND d.number <= c.number
          AND NOT b.outcome ? 'refused' AND d.body -> 'tier' = c.body -> 'tier'
          AND (d.issued_at AT TIME ZONE o.timezone - o.day_starts)::date
            = (c.issued_at AT TIME ZONE o.timezone - o.day_starts)::date) AS of_day
    WHERE c.system_id = %(system)s AND n.seq > %(after)s AND c.kind = 'adjust_pool'
      AND NOT n.outcome ? 'refused' AND so_far > highest
      AND NOT EXISTS (
        SELECT FROM settlement_proposaldecision d
        JOIN settlement_proposal p ON p.id = d.proposal_id
        JOIN settlement_proposalapproval a ON a.proposal_id = p.id
        WHERE (p.system_id, p.kind, d.command) = (c.system_id, c.kind, c.number)
          AND a.person_id NOT IN (p.person_id, d.person_id))
    ORDER BY n.seq LIMIT 10
"""
# What one supervisor decided about rounds, and hands that one entered.
_RULINGS = """
    SELECT n.seq, n.type, n.hit, c.first, c.second
    FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.command IS NOT NULL
      AND n.type IN ('void_round', 'cancel_round', 'missed_rounds', 'enter_hand',
                     'accept_rounds', 'refuse_rounds')
      AND (c.second IS NULL OR n.type = 'enter_hand')
      AND NOT n.outcome ? 'refused'
      AND NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        WHERE r.system_id = n.system_id AND r.kind = n.type AND r.command = n.command
          AND u.username = c.first AND g.code = c.body ->> 'table'
          AND (c.second IS NULL OR EXISTS (
            SELECT FROM settlement_countersignature s JOIN auth_user o ON o.id = s.person_id
            WHERE s.ruling_id = r.id AND o.username = c.second)))
    ORDER BY n.seq LIMIT 10
"""
# Tables that came without having left the other system by the same two people.
_RECEIVED = """
    SELECT n.seq, n.type, n.hit, c.first, c.second
    FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.type = 'receive_table'
      AND NOT n.outcome ? 'refused'
      AND NOT EXISTS (
        SELECT FROM tables_jackpotsystem s
        JOIN jackpot_entry m ON m.system_id = s.id AND to_jsonb(m.seq) = c.body -> 'entry'
        JOIN jackpot_command d ON (d.system_id, d.number) = (m.system_id, m.command)
        JOIN tables_jackpotsystem here ON here.id = n.system_id
        WHERE s.code = c.body ->> 'from_system' AND m.type = 'move_table'
          AND m.outcome ? 'moved' AND d.body ->> 'table' = c.body ->> 'from_table'
          AND m.outcome ->> 'moved' = here.code || '/' || (c.body ->> 'table')
          AND d.first = c.first AND d.second = c.second)
    ORDER BY n.seq LIMIT 10
"""
# Payouts that no entry paid. (One that is missing is registered again from the order.)
_PAYOUTS = """
    SELECT k.number, p.line, p.part FROM settlement_payout p
    JOIN settlement_claim k ON k.id = p.claim_id
    LEFT JOIN jackpot_entry n ON n.system_id = k.system_id AND n.seq = p.entry_seq
      AND n.type = 'pay' AND n.hit = k.number
      AND n.outcome @> jsonb_build_object(
          'line', p.line, 'part', p.part, 'seat', p.seat, 'paid', p.amount)
    WHERE k.system_id = %(system)s AND n.seq IS NULL
    ORDER BY k.number, p.line, p.part LIMIT 10
"""
_SKIPPED = """
    SELECT n.seq FROM jackpot_entry n
    LEFT JOIN jackpot_setaside s ON s.system_id = n.system_id
      AND (s.event_id = n.event_id OR s.command = n.command)
      AND n.outcome -> 'set_aside' = jsonb_build_object(
          'first', s.first, 'second', s.second, 'reason', s.reason)
    WHERE n.system_id = %(system)s AND n.seq > %(after)s AND n.outcome ? 'set_aside'
      AND s.id IS NULL
    ORDER BY n.seq LIMIT 10
"""


def without_actions(system_id: int, after: int) -> list[str]:
    """What was decided or skipped behind the entry `after` without the people that it names,
    and payouts that the order does not know."""
    names = {"system": system_id, "after": after}
    with connection.cursor() as cursor:
        findings = []
        for decisions in (_DECISIONS, _PROPOSALS, _RULINGS, _RECEIVED):
            cursor.execute(decisions, names)
            findings += [
                f"entry {seq}: {type_}{f' of hit {hit}' if hit else ''} names"
                f" {' and '.join(filter(None, people))}, and no actions of theirs stand behind it"
                for seq, type_, hit, *people in cursor.fetchall()
            ]
        cursor.execute(_OWN_HANDS, names)
        findings += [
            f"entry {seq}: {type_} of hit {hit} names {who}, who was dealt in"
            for seq, type_, hit, who in cursor.fetchall()
        ]
        cursor.execute(_ONE_MANAGER, names)
        findings += [
            f"entry {seq}: a large amount of hit {hit} was confirmed by one manager alone"
            for seq, hit in cursor.fetchall()
        ]
        cursor.execute(_NO_EVIDENCE, names)
        findings += [
            f"entry {seq}: hit {hit} was confirmed without what the terms ask for: {lacking}"
            for seq, hit, lacking in cursor.fetchall()
        ]
        cursor.execute(_ONE_ADJUSTER, names)
        findings += [
            f"entry {seq}: a large adjustment was agreed to by one manager alone"
            for (seq,) in cursor.fetchall()
        ]
        cursor.execute(_PAYOUTS, names)
        findings += [
            f"the payout of claim {claim}, line {line}, part {part}, is not what an entry paid"
            for claim, line, part in cursor.fetchall()
        ]
        cursor.execute(_SKIPPED, names)
        findings += [
            f"entry {seq} says that it was set aside, and no two people decided that"
            for (seq,) in cursor.fetchall()
        ]
    return findings
