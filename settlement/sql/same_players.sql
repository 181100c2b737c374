-- Of each number, at the time beside it, every number that is the same player, itself among them:
-- as two people stated before that time, where nobody took it back. Of two numbers the last
-- statement counts. All are asked for at once, and statements are read once.
CREATE FUNCTION same_players(of_numbers bigint[], befores timestamptz[])
RETURNS TABLE (asked bigint, before timestamptz, number bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH RECURSIVE stated AS (
        SELECT pair.one, pair.other, (p.body ->> 'is_one')::boolean AS is_one, n.at AS since,
               lead(n.at, 1, 'infinity') OVER (  -- the next one takes the place of this one
                   PARTITION BY least(pair.one, pair.other), greatest(pair.one, pair.other)
                   ORDER BY n.at, d.id
               ) AS until
        FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN jackpot_entry n ON n.system_id = p.system_id AND n.command = d.command
             AND n.outcome -> 'refused' IS NULL
        CROSS JOIN LATERAL (
            SELECT (p.body ->> 'player')::bigint AS one, (p.body ->> 'other')::bigint AS other
        ) AS pair
        WHERE p.kind = 'same_player'
    ), joined AS MATERIALIZED (
        SELECT stated.one AS number, stated.other, since, until FROM stated WHERE is_one
        UNION ALL
        SELECT stated.other, stated.one, since, until FROM stated WHERE is_one
    ), same (asked, before, number) AS (
        SELECT each.number, each.before, each.number
        FROM unnest(of_numbers, befores) AS each (number, before)
        UNION
        SELECT same.asked, same.before, joined.other
        FROM same JOIN joined ON joined.number = same.number
             AND joined.since < same.before AND same.before <= joined.until
    )
    SELECT same.asked, same.before, same.number FROM same
$$;
REVOKE EXECUTE ON FUNCTION same_players(bigint[], timestamptz[]) FROM PUBLIC;
