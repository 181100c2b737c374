-- Whom the owner names (settlement.people.rights.roles.grant), or the database role that did it.
CREATE FUNCTION role_given_by() RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(nullif(current_setting('jackpot.given_by', true), ''), session_user)
$$;
