-- The numbers of players by identifications: of each that of the first one by the same document,
-- however its number was typed. It tells nothing of who they are. Whoever was identified in a
-- rehearsal is nobody elsewhere, and the other way round. All are asked for at once: who many
-- payments went to costs little more than who one went to.
CREATE FUNCTION numbers_of_players(of_identifications bigint[])
RETURNS TABLE (identification bigint, number bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH asked AS MATERIALIZED (
        SELECT DISTINCT id FROM unnest(of_identifications) AS each (id)
    ), born AS MATERIALIZED (
        SELECT DISTINCT i.born, i.document
        FROM asked JOIN settlement_identification i ON i.id = asked.id
    ), every AS (
        SELECT o.id, min(o.id) OVER (
            PARTITION BY o.born, o.document, document_key(o.document_number),
                         starts_with(s.code, 'rehearsal-')
        ) AS number
        FROM born
        JOIN settlement_identification o ON o.born = born.born AND o.document = born.document
        JOIN settlement_claim c ON c.id = o.claim_id
        JOIN tables_jackpotsystem s ON s.id = c.system_id
    )
    SELECT every.id, every.number FROM every WHERE every.id IN (SELECT asked.id FROM asked)
$$;
REVOKE EXECUTE ON FUNCTION numbers_of_players(bigint[]) FROM PUBLIC;
