-- Payouts of a casino to players who were identified, with the gaming day and the number of the
-- player, or the one that stands for it by the end of that day (one_player): what one person was
-- paid, how much tax was withheld of it, and nothing of who it is.
-- `won`: what the player's seat won in that claim in all, but what was forfeited, and what was
-- reversed before anything of it was paid. In a rehearsal nobody was paid.
CREATE FUNCTION paid_to_players(of_casino bigint, since timestamptz, until timestamptz)
RETURNS TABLE (
    payout bigint, person bigint, day date, amount bigint, cash bigint, tax bigint,
    residence text, won bigint
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT p.id, one_player(found.person, (on_day.day + 1 + c.day_starts) AT TIME ZONE c.timezone),
           on_day.day,
           p.amount, p.cash, p.tax, p.residence::text, seat.won
    FROM settlement_payout p
    JOIN settlement_claim k ON k.id = p.claim_id
    JOIN tables_jackpotsystem s ON s.id = k.system_id
    JOIN tables_casino c ON c.id = s.casino_id
    JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
    CROSS JOIN LATERAL (SELECT player_reference(k.id, p.seat) AS person) AS found
    CROSS JOIN LATERAL (SELECT p.at AT TIME ZONE c.timezone AS at) AS local
    CROSS JOIN LATERAL (
        SELECT local.at::date - (local.at::time < c.day_starts)::int AS day
    ) AS on_day
    CROSS JOIN LATERAL (
        SELECT sum(CASE payee ->> 'state'
            WHEN 'forfeited' THEN (SELECT coalesce(sum(part.value::bigint), 0)
                                   FROM jsonb_each_text(payee -> 'parts') AS part)
            ELSE (payee ->> 'amount')::bigint END)::bigint AS won
        FROM jsonb_array_elements(h.payees) AS payee
        WHERE (payee ->> 'seat')::smallint = p.seat
          AND (payee ->> 'state' NOT IN ('forfeited', 'reversed') OR payee -> 'payments' <> '[]')
    ) AS seat
    WHERE c.id = of_casino AND NOT starts_with(s.code, 'rehearsal-') AND p.at >= since AND p.at < until AND found.person IS NOT NULL
$$;
REVOKE EXECUTE ON FUNCTION paid_to_players(bigint, timestamptz, timestamptz) FROM PUBLIC;
