-- Takes a role away, for whoever administers that person; one's own stays.
CREATE FUNCTION take_role(who integer, whose integer, named integer, of_casino bigint)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    IF who = whose THEN
        RAISE EXCEPTION 'own: person % may not change an own role', who
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'administer_people', of_casino), true);
    PERFORM put_role(whose, named, of_casino, NULL, false);
END
$$;
REVOKE EXECUTE ON FUNCTION take_role(integer, integer, integer, bigint) FROM PUBLIC;
