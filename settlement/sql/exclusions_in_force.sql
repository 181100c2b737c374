-- What stops the payment to the player of a seat: matches of anybody who was ever identified there
-- with an entry that was in force on a day from the hand on, and that two people did not release;
-- and of the player's other numbers, where two people stated them (identifications_that_count).
-- It tells nothing of who it is. No seat: all of the claim. By the gaming day of an instant, now.
CREATE FUNCTION exclusions_in_force(
    of_claim bigint, of_seat integer, instant timestamptz DEFAULT now()
)
RETURNS TABLE (match bigint, seat smallint, exclusion bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT m.id, i.seat, x.id FROM identifications_that_count(of_claim, of_seat) AS i
    JOIN settlement_exclusionmatch m ON m.identification_id = i.identification
    JOIN settlement_exclusion x ON x.id = m.exclusion_id
    JOIN settlement_claim k ON k.id = of_claim
    JOIN tables_jackpotsystem s ON s.id = k.system_id AND s.casino_id = x.casino_id
    JOIN jackpot_hit h ON h.system_id = k.system_id AND h.number = k.number
    JOIN tables_casino c ON c.id = x.casino_id
    LEFT JOIN settlement_exclusionend e ON e.exclusion_id = x.id
    CROSS JOIN LATERAL (SELECT h.at AT TIME ZONE c.timezone AS at) AS local
    CROSS JOIN LATERAL (SELECT least(x.until, e.last_day) AS day) AS last
    WHERE x.since <= gaming_day_of(c.id, instant) AND coalesce(last.day >= x.since, true)
      AND coalesce(last.day >= local.at::date - (local.at::time < c.day_starts)::int, true)
      AND NOT EXISTS (
          SELECT FROM jackpot_entry n
          JOIN jackpot_command r ON r.system_id = n.system_id AND r.number = n.command
          WHERE n.system_id = k.system_id AND n.hit = k.number AND n.type = 'release_excluded'
            AND n.outcome -> 'refused' IS NULL
            AND r.body -> 'seat' = to_jsonb(i.seat) AND r.body -> 'matches' @> to_jsonb(m.id))
$$;
