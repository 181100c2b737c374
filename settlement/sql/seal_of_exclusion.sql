-- The seal of an excluded person: a hash over who it is, under a key that nobody reads.
CREATE FUNCTION seal_of_exclusion(of_entry settlement_exclusion) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT encode(sha256(convert_to(concat_ws(E'\n', of_entry.key, of_entry.name,
        to_char(of_entry.born, 'YYYY-MM-DD'), of_entry.document, of_entry.document_number),
        'UTF8')), 'hex')
$$;
