-- The number of a document as it is compared: without blanks and marks, in capitals.
CREATE FUNCTION document_key(written text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
    SELECT regexp_replace(
        translate(normalize(written, NFKC), 'abcdefghijklmnopqrstuvwxyz',
            'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
        '[] \t\r\n.,;:/_()#[-]+', '', 'g')
$$;
