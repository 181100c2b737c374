-- Whether a word on who plays counts. A colleague who is named decides nothing from then on: for a
-- shift, and for good once they say so themselves or somebody else does; a word that contradicts
-- lets them decide again. `through`: as it stood for that command, by what it rests on, the shift by
-- the time at which it was queued; NULL: now.
CREATE FUNCTION play_counts(play bigint, through bigint DEFAULT NULL) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT (through IS NULL
            OR is_taken_in('settlement_staffplay', p.id, g.system_id, through)) AND CASE
        WHEN p.said_by_id = p.person_id THEN true
        WHEN through IS NULL
          OR is_taken_in('settlement_staffplayword', w.id, g.system_id, through)
            THEN coalesce(w.agrees, clock_timestamp() < p.at + interval '8 hours')
        ELSE c.issued_at < p.at + interval '8 hours' END
    FROM settlement_staffplay p JOIN tables_gamingtable g ON g.id = p.table_id
    LEFT JOIN settlement_staffplayword w ON w.play_id = p.id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (g.system_id, through)
    WHERE p.id = play
$$;
