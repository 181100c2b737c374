-- Two numbers each, of players who were paid on the same gaming day and may be one person
-- (likely_to_be_each). Asked with three columns: by which identification somebody is known, the number
-- that stands for them, and the gaming day. It tells nothing of who they are.
-- Names are compared of those alone who were born on the same day as somebody else of that gaming day:
-- by a number of theirs, or by one that is the same player at that time.
CREATE FUNCTION likely_on_days(
    of_identifications bigint[], of_persons bigint[], of_days date[], at timestamptz
) RETURNS TABLE (person bigint, other bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH paid AS MATERIALIZED (
        SELECT each.identification, each.person, each.day, i.born
        FROM unnest(of_identifications, of_persons, of_days) AS each (identification, person, day)
        JOIN settlement_identification i ON i.id = each.identification
    ), known AS MATERIALIZED (  -- a number is that of an identification
        SELECT DISTINCT same.asked AS person, i.born
        FROM same_players((SELECT array_agg(paid.person) FROM paid),
                          (SELECT array_agg(at) FROM paid)) AS same
        JOIN settlement_identification i ON i.id = same.number
    ), there AS MATERIALIZED (
        SELECT paid.day, known.born, min(known.person) AS one, max(known.person) AS other
        FROM paid JOIN known ON known.person = paid.person
        GROUP BY paid.day, known.born
    ), asked AS MATERIALIZED (
        SELECT DISTINCT paid.identification, paid.person
        FROM paid JOIN there ON there.day = paid.day AND there.born = paid.born
        WHERE there.one <> paid.person OR there.other <> paid.person
    ), likely AS MATERIALIZED (
        SELECT * FROM likely_to_be_each((SELECT array_agg(identification) FROM asked))
    ), standing AS MATERIALIZED (
        SELECT same.asked AS person, min(same.number) AS other
        FROM same_players((SELECT array_agg(likely.person) FROM likely),
                          (SELECT array_agg(at) FROM likely)) AS same
        GROUP BY same.asked
    )
    SELECT DISTINCT asked.person, each.person
    FROM asked JOIN likely USING (identification)
    JOIN standing ON standing.person = likely.person
    CROSS JOIN LATERAL (VALUES (likely.person), (standing.other)) AS each (person)
    WHERE each.person <> asked.person AND each.person = ANY(of_persons)
$$;
REVOKE EXECUTE ON FUNCTION likely_on_days(bigint[], bigint[], date[], timestamptz) FROM PUBLIC;
