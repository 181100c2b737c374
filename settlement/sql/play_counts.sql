-- Whether a word on who plays counted at a moment. A colleague who is named decides nothing
-- from then on: for a shift, and for good once they say so themselves or somebody else does; a
-- word that contradicts lets them decide again.
CREATE FUNCTION play_counts(play bigint, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT p.at <= moment AND CASE
        WHEN p.said_by_id = p.person_id THEN true
        WHEN w.at <= moment THEN w.agrees
        ELSE moment < p.at + interval '8 hours' END
    FROM settlement_staffplay p LEFT JOIN settlement_staffplayword w ON w.play_id = p.id
    WHERE p.id = play
$$;
