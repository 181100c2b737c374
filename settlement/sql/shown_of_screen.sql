-- The row of a screen, a slide or a look as the record of changes has it: systems by their codes, and
-- whether it is over.
CREATE FUNCTION shown_of_screen(one jsonb) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT (one - 'casino_id')
        || CASE WHEN one ? 'systems' THEN jsonb_build_object('systems', (
               SELECT jsonb_agg(s.code ORDER BY s.code) FROM tables_jackpotsystem s
               WHERE one -> 'systems' @> to_jsonb(s.id))) ELSE '{}' END
        || CASE WHEN one ? 'ended_at'
                THEN jsonb_build_object('is_ended', one -> 'ended_at' <> 'null') ELSE '{}' END
$$;
