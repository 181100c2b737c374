-- Has others who take a list of excluded persons in wait for the end of this transaction, and refuses
-- to while a long file of it is taken in, step by step: what it lacks was counted at the beginning.
-- Asked by functions before they take the lock of all lists.
CREATE FUNCTION list_is_free(of_casino bigint, list_name text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(
        hashtext('exclusion_list'), hashtext(of_casino || ' ' || list_name));
    IF EXISTS (SELECT FROM settlement_exclusionfile f WHERE f.casino_id = of_casino
               AND f.name = list_name AND f.state = 'running')
    THEN
        RAISE EXCEPTION 'list_in_work: a file of this list is taken in'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION list_is_free(bigint, text) FROM PUBLIC;
