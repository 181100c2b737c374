-- The words of a name in their alphabetical order, each once, in plain letters.
CREATE FUNCTION name_words(written text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
    SELECT coalesce(array_agg(DISTINCT word COLLATE "C"), '{}') FROM regexp_split_to_table(
        translate(plain_letters(written), '''’‘`´ʻʼ', ''),
        '[] \t\r\n.,;:/_()[-]+') AS word
    WHERE word <> ''
$$;
