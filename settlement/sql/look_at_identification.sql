-- Gives who the players of a claim are, and who shares what they won (`shares`: the seat that won
-- it), to somebody whose role allows it, and writes down the look in the same transaction, whatever
-- the process that asks does. Nobody reads it from the table. Of sharers who were withdrawn it gives
-- those who are on a list of excluded persons, but for a form: whoever releases the payment reads who
-- stopped it.
CREATE FUNCTION look_at_identification(looked_at bigint, looker bigint, what_for text)
RETURNS TABLE (
    id bigint, seat smallint, name text, born date, document text, document_number text,
    tax_number text, address text, country text, note text, recorder bigint, at timestamptz,
    shares smallint, is_withdrawn boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_claim k WHERE k.id = looked_at
          AND has_permission(looker::integer, 'view_identification', k.system_id)
    ) THEN
        RAISE EXCEPTION 'identification: person % may not look', looker
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_identificationlook (claim_id, person_id, purpose, at)
        VALUES (looked_at, looker, what_for, now());
    RETURN QUERY SELECT DISTINCT ON (i.seat, i.shares, CASE WHEN i.shares IS NOT NULL THEN i.id END)
            i.id, i.seat, i.name::text, i.born, i.document::text, i.document_number::text,
            i.tax_number::text, i.address::text, i.country::text, i.note::text, i.person_id::bigint, i.at,
            i.shares, i.shares IS NOT NULL AND NOT stands.it
        FROM settlement_identification i
        CROSS JOIN LATERAL (SELECT EXISTS (
            SELECT FROM standing_sharers(looked_at) AS s WHERE s.identification = i.id) AS it
        ) AS stands
        WHERE i.claim_id = looked_at
          AND (i.seat IS NOT NULL OR stands.it OR what_for <> 'form' AND EXISTS (
            SELECT FROM players_as_one(number_of_player(i.id), 'infinity') AS each (number)
            CROSS JOIN LATERAL identifications_of_player(each.number) AS known
            JOIN settlement_exclusionmatch m ON m.identification_id = known.identification))
        ORDER BY i.seat, i.shares, CASE WHEN i.shares IS NOT NULL THEN i.id END, i.id DESC;
END
$$;
REVOKE EXECUTE ON FUNCTION look_at_identification(bigint, bigint, text) FROM PUBLIC;
