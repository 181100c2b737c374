-- Whether two names may be one person's: the same letters in any order, so that neither the order
-- of names nor a hyphen or blank counts; or all words of one, two at least, are in the other,
-- where a second forename or a maiden name was left out.
CREATE FUNCTION same_name(one text, other text) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
    SELECT (SELECT coalesce(string_agg(c, '' ORDER BY c COLLATE "C"), '')
            FROM unnest(a.words) w, regexp_split_to_table(w, '') c)
         = (SELECT coalesce(string_agg(c, '' ORDER BY c COLLATE "C"), '')
            FROM unnest(b.words) w, regexp_split_to_table(w, '') c)
        OR a.words <@ b.words AND cardinality(a.words) > 1
        OR b.words <@ a.words AND cardinality(b.words) > 1
    FROM (SELECT name_words(one) AS words) a, (SELECT name_words(other) AS words) b
$$;
