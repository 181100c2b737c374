-- Whether an identification of a sharer says just this, so that a key that comes again is not answered
-- for somebody else; it tells nothing of who it is.
CREATE FUNCTION is_identified_as(
    of_identification bigint, name text, born date, document text, document_number text,
    tax_number text, address text, country text, note text
) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_identification i
        WHERE i.id = of_identification AND i.shares IS NOT NULL
          AND (i.name, i.born, i.document, i.document_number, i.tax_number, i.address, i.country, i.note)
            = ($2, $3, $4, $5, $6, $7, $8, $9))
$$;
REVOKE EXECUTE ON FUNCTION
    is_identified_as(bigint, text, date, text, text, text, text, text, text) FROM PUBLIC;
