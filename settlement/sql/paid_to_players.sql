-- Payouts of a casino to players who were identified, with the gaming day and the number of the
-- player, or the one that stands for it by the end of that day (one_player): what one person was
-- paid, how much tax was withheld of it, and nothing of who it is.
-- `won`: what the player's seat won in that claim in all, but what was forfeited, and what was
-- reversed before anything of it was paid. In a rehearsal nobody was paid.
-- Who the players are and who their numbers stand for is dear to find: it is asked once for all.
CREATE FUNCTION paid_to_players(of_casino bigint, since timestamptz, until timestamptz)
RETURNS TABLE (
    payout bigint, person bigint, day date, amount bigint, cash bigint, tax bigint,
    residence text, won bigint
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH paid AS MATERIALIZED (
        SELECT p.id, p.claim_id, p.seat, p.amount, p.cash, p.tax, p.residence,
               local.at::date - (local.at::time < c.day_starts)::int AS day,
               c.day_starts, c.timezone, k.system_id, k.number
        FROM settlement_payout p
        JOIN settlement_claim k ON k.id = p.claim_id
        JOIN tables_jackpotsystem s ON s.id = k.system_id
        JOIN tables_casino c ON c.id = s.casino_id
        CROSS JOIN LATERAL (SELECT p.at AT TIME ZONE c.timezone AS at) AS local
        WHERE c.id = of_casino AND NOT starts_with(s.code, 'rehearsal-')
          AND p.at >= since AND p.at < until
    ), place AS MATERIALIZED (
        SELECT each.*, newest.id AS identification, seat.won
        FROM (SELECT DISTINCT claim_id, seat, system_id, number FROM paid) AS each
        CROSS JOIN LATERAL (  -- as player_reference takes it; whom nobody identified costs nothing
            SELECT i.id FROM settlement_identification i
            WHERE i.claim_id = each.claim_id AND i.seat = each.seat ORDER BY i.id DESC LIMIT 1
        ) AS newest
        JOIN jackpot_hit h ON h.system_id = each.system_id AND h.number = each.number
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(CASE payee ->> 'state'
                WHEN 'forfeited' THEN (SELECT coalesce(sum(part.value::bigint), 0)
                                       FROM jsonb_each_text(payee -> 'parts') AS part)
                ELSE (payee ->> 'amount')::bigint END), 0)::bigint AS won
            FROM jsonb_array_elements(h.payees) AS payee
            WHERE (payee ->> 'seat')::smallint = each.seat
              AND (payee ->> 'state' NOT IN ('forfeited', 'reversed')
                   OR payee -> 'payments' <> '[]')
        ) AS seat
    ), known AS MATERIALIZED (
        SELECT * FROM numbers_of_players((SELECT array_agg(identification) FROM place))
    ), won AS MATERIALIZED (
        SELECT paid.*, known.number AS person, place.won,
               (paid.day + 1 + paid.day_starts) AT TIME ZONE paid.timezone AS before
        FROM paid JOIN place USING (claim_id, seat)
        JOIN known ON known.identification = place.identification
    ), standing AS MATERIALIZED (
        SELECT same.asked, same.before, min(same.number) AS number
        FROM same_players((SELECT array_agg(person ORDER BY id) FROM won),
                          (SELECT array_agg(before ORDER BY id) FROM won)) AS same
        GROUP BY same.asked, same.before
    )
    SELECT won.id, standing.number, won.day, won.amount, won.cash, won.tax, won.residence::text,
           won.won
    FROM won JOIN standing ON standing.asked = won.person AND standing.before = won.before
$$;
REVOKE EXECUTE ON FUNCTION paid_to_players(bigint, timestamptz, timestamptz) FROM PUBLIC;
