-- Takes a role away, for whoever administers that person; one's own stays, and so does the last
-- administrator's.
CREATE FUNCTION take_role(who integer, whose integer, named integer, of_casino bigint)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('set_up'));
    IF who = whose THEN
        RAISE EXCEPTION 'own: person % may not change an own role', who
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'administer_people', of_casino), true);
    PERFORM put_role(whose, named, of_casino, NULL, false);
    PERFORM administrator_remains(whose);
END
$$;
REVOKE EXECUTE ON FUNCTION take_role(integer, integer, integer, bigint) FROM PUBLIC;
