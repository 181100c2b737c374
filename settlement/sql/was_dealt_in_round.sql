-- Whether a person was dealt in to a round: by a claim of the round, and where none is known
-- yet by the times of the round itself. `through`: as it stood for that command (play_counts).
CREATE FUNCTION was_dealt_in_round(
    of_table bigint, of_round bigint, person integer, through bigint DEFAULT NULL
) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_staffplay p WHERE p.person_id = person AND p.table_id = of_table
    ) AND (EXISTS (
        SELECT FROM tables_gamingtable g
        JOIN jackpot_hit h ON h.system_id = g.system_id AND h.table_id = g.id
        JOIN settlement_claim k ON (k.system_id, k.number) = (h.system_id, h.number)
        WHERE g.id = of_table AND h.round = of_round AND was_dealt_in(k.id, person, through)
    ) OR EXISTS (
        SELECT FROM tables_gamingtable g
        JOIN jackpot_roundstate r
          ON (r.system_id, r.table_id, r.round) = (g.system_id, g.id, of_round)
        LEFT JOIN jackpot_entry s ON (s.system_id, s.seq) = (r.system_id, r.started)
        LEFT JOIN jackpot_entry c ON (c.system_id, c.seq) = (r.system_id, r.completed)
        JOIN settlement_staffplay p ON p.table_id = g.id AND p.person_id = person
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE g.id = of_table AND play_counts(p.id, through)
          AND p.since <= coalesce(c.at, s.at)
          AND coalesce(p.until, e.at, 'infinity') >= coalesce(s.at, c.at)
    ))
$$;
