-- The systems that are chosen for a screen, which are of its casino; NULL: all of them.
CREATE FUNCTION systems_of_screen(of_casino bigint, wanted jsonb) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    chosen bigint[];
BEGIN
    IF jsonb_typeof(wanted -> 'systems') IS DISTINCT FROM 'array' THEN
        RETURN NULL;
    END IF;
    SELECT array_agg(s.id ORDER BY s.id) INTO chosen
    FROM tables_jackpotsystem s
    WHERE s.casino_id = of_casino AND wanted -> 'systems' @> to_jsonb(s.id);
    IF coalesce(cardinality(chosen), 0) <> jsonb_array_length(wanted -> 'systems') THEN
        RAISE EXCEPTION 'screen: these systems are not of casino %', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN chosen;
END
$$;
