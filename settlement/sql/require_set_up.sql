-- The log-in of whoever sets something up, who must be there and be permitted it in that casino
-- (NULL: in every casino); refuses everybody else. Of the owner it is not asked who is there.
CREATE FUNCTION require_set_up(who integer, asked text, of_casino bigint) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_asked_by_owner('auth_user') AND NOT is_there(who) THEN
        RAISE EXCEPTION 'log-in: person % is not there', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT may_in_casino(who, asked, of_casino) THEN
        RAISE EXCEPTION 'permission: person % may not %', who, asked
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN (SELECT username FROM auth_user WHERE id = who);
END
$$;
