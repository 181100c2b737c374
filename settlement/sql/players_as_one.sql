-- Every number that is the same player as one, itself among them: as two people stated before that
-- time, where nobody took it back. Of two numbers the last statement counts.
CREATE FUNCTION players_as_one(of_number bigint, before timestamptz) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH RECURSIVE stated AS MATERIALIZED (
        SELECT DISTINCT ON (least(pair.one, pair.other), greatest(pair.one, pair.other))
               pair.one, pair.other, (p.body ->> 'is_one')::boolean AS is_one
        FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN jackpot_entry n ON n.system_id = p.system_id AND n.command = d.command
             AND n.outcome -> 'refused' IS NULL AND n.at < before
        CROSS JOIN LATERAL (
            SELECT (p.body ->> 'player')::bigint AS one, (p.body ->> 'other')::bigint AS other
        ) AS pair
        WHERE p.kind = 'same_player'
        ORDER BY least(pair.one, pair.other), greatest(pair.one, pair.other), n.at DESC, d.id DESC
    ), same (number) AS (
        SELECT of_number
        UNION
        SELECT CASE same.number WHEN stated.one THEN stated.other ELSE stated.one END
        FROM same JOIN stated ON stated.is_one AND same.number IN (stated.one, stated.other)
    )
    SELECT number FROM same
$$;
REVOKE EXECUTE ON FUNCTION players_as_one(bigint, timestamptz) FROM PUBLIC;
