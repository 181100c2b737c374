-- What of a casino's payouts belongs to sharers, who sat nowhere, with the gaming day and the number of
-- each, or the one that stands for it by the end of that day (one_player); nothing of who it is.
-- Of each prize of which something was paid in the time, all payouts. A payout is divided in
-- proportion, in whole minor units, so that the parts of a sharer add up to their amount once all is
-- paid. `won`: their part of `whole`, what the seat won but what was forfeited. `residence`: whether
-- they live in the country `home` or abroad; empty where nobody said.
CREATE FUNCTION paid_to_sharers(
    of_casino bigint, since timestamptz, until timestamptz, home text
) RETURNS TABLE (
    payout bigint, sharer bigint, person bigint, at timestamptz, day date, claim bigint,
    seat smallint, amount bigint, cash bigint, tax bigint, residence text, won bigint,
    whole bigint
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH shared AS MATERIALIZED (
        SELECT DISTINCT r.claim_id, r.seat FROM settlement_sharer r
        JOIN settlement_payout p ON p.claim_id = r.claim_id AND p.seat = r.seat
             AND p.at >= since AND p.at < until
    ), prize AS MATERIALIZED (
        SELECT shared.*, h.payees, c.timezone, c.day_starts,
               (10 ^ (6 - c.minor_digits))::bigint AS unit,
               greatest(won_by_seat(k.id, shared.seat), (
                   SELECT sum(s.amount) FROM standing_sharers(k.id) AS s WHERE s.seat = shared.seat
               ))::numeric AS whole
        FROM shared
        JOIN settlement_claim k ON k.id = shared.claim_id
        JOIN tables_jackpotsystem s ON s.id = k.system_id
             AND s.casino_id = of_casino AND NOT starts_with(s.code, 'rehearsal-')
        JOIN tables_casino c ON c.id = s.casino_id
        JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    ), paid AS (
        SELECT p.*, prize.timezone, prize.day_starts, prize.unit, prize.whole,
               sum(p.amount) OVER so_far AS amounts, sum(p.cash) OVER so_far AS cashes,
               sum(p.tax) OVER so_far AS taxes,
               (SELECT coalesce(sum(CASE payee ->> 'state'
                    WHEN 'forfeited' THEN (SELECT coalesce(sum(part.value::bigint), 0)
                                           FROM jsonb_each_text(payee -> 'parts') AS part)
                    ELSE (payee ->> 'amount')::bigint END), 0)
                FROM jsonb_array_elements(prize.payees) AS payee
                WHERE (payee ->> 'seat')::smallint = p.seat
                  AND (payee ->> 'state' <> 'reversed' OR payee -> 'payments' <> '[]')) AS won
        FROM prize JOIN settlement_payout p ON (p.claim_id, p.seat) = (prize.claim_id, prize.seat)
        WINDOW so_far AS (PARTITION BY p.claim_id, p.seat ORDER BY p.id)
    ), part AS MATERIALIZED (
        SELECT p.*, s.sharer, s.identification, s.amount AS share, i.country, on_day.day,
               (on_day.day + 1 + p.day_starts) AT TIME ZONE p.timezone AS before
        FROM paid AS p
        CROSS JOIN LATERAL standing_sharers(p.claim_id) AS s
        JOIN settlement_identification i ON i.id = s.identification
        CROSS JOIN LATERAL (SELECT p.at AT TIME ZONE p.timezone AS at) AS local
        CROSS JOIN LATERAL (
            SELECT local.at::date - (local.at::time < p.day_starts)::int AS day
        ) AS on_day
        WHERE s.seat = p.seat
    ), known AS MATERIALIZED (  -- all at once, as paid_to_players does
        SELECT part.id, part.sharer, part.before, each.number AS person
        FROM part
        JOIN numbers_of_players((SELECT array_agg(identification) FROM part)) AS each
             USING (identification)
    ), standing AS MATERIALIZED (
        SELECT same.asked, same.before, min(same.number) AS number
        FROM same_players((SELECT array_agg(person ORDER BY id, sharer) FROM known),
                          (SELECT array_agg(before ORDER BY id, sharer) FROM known)) AS same
        GROUP BY same.asked, same.before
    )
    SELECT p.id, p.sharer, standing.number, p.at, p.day, p.claim_id, p.seat,
           ((div(p.share * p.amounts, p.whole * p.unit)
             - div(p.share * (p.amounts - p.amount), p.whole * p.unit)) * p.unit)::bigint,
           ((div(p.share * p.cashes, p.whole * p.unit)
             - div(p.share * (p.cashes - p.cash), p.whole * p.unit)) * p.unit)::bigint,
           ((div(p.share * p.taxes, p.whole * p.unit)
             - div(p.share * (p.taxes - p.tax), p.whole * p.unit)) * p.unit)::bigint,
           CASE WHEN home = '' OR p.country = '' THEN ''
                WHEN p.country = home THEN 'resident' ELSE 'foreign' END,
           (div(p.share * p.won, p.whole * p.unit) * p.unit)::bigint, p.won::bigint
    FROM part AS p
    JOIN known ON (known.id, known.sharer) = (p.id, p.sharer)
    JOIN standing ON standing.asked = known.person AND standing.before = known.before
    ORDER BY p.id, p.sharer
$$;
REVOKE EXECUTE ON FUNCTION
    paid_to_sharers(bigint, timestamptz, timestamptz, text) FROM PUBLIC;
