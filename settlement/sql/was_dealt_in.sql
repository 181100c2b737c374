-- Whether a person was dealt in to the hand of a claim. A play counts from the round's start
-- (or when its hand was recorded, if the events came later) to the time for settlement; a clock
-- that is days off is not believed. `through`: as it stood for that command (play_counts). Who never
-- played is asked of one table, and the rest is planned once a connection: as plain SQL it was
-- planned each time, eight milliseconds of each action while claims were locked.
CREATE FUNCTION was_dealt_in(
    claim bigint, person integer, through bigint DEFAULT NULL
) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM settlement_staffplay p WHERE p.person_id = person) THEN
        RETURN false;
    END IF;
    RETURN EXISTS (
        SELECT FROM settlement_staffplay p
        JOIN settlement_claim k ON k.id = claim
        JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
         AND h.table_id = p.table_id
        JOIN jackpot_entry n ON (n.system_id, n.seq) = (h.system_id, h.place)
        LEFT JOIN tables_tableevent v ON v.id = n.event_id
        LEFT JOIN jackpot_roundstate r
          ON (r.system_id, r.table_id, r.round) = (h.system_id, h.table_id, h.round)
        LEFT JOIN jackpot_entry s ON (s.system_id, s.seq) = (r.system_id, r.started)
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE p.person_id = person AND play_counts(p.id, through)
          AND p.since <= h.at
          AND coalesce(p.until, e.at, 'infinity') >= least(
              h.at, s.at,
              CASE WHEN v.id IS NOT NULL  -- a hand entered on the console is of its moment
                   THEN greatest(v.recorded_at, h.at - interval '1 day') END)
    );
END
$$;
