-- Links somebody who is there to their account at the log-in provider, and asks for the proof of the
-- password: a log-in that was taken over gets no second way in.
CREATE FUNCTION link_provider(who integer, proof bytea, shown bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM hold_person(who);
    IF NOT is_there(who)
       OR NOT EXISTS (SELECT FROM auth_user WHERE id = who AND is_active AND proves(password, proof))
    THEN
        RAISE EXCEPTION 'provider: the password of person % was not shown', who
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM put_provider_link(who, shown, 'link');
END
$$;
REVOKE EXECUTE ON FUNCTION link_provider(integer, bytea, bytea) FROM PUBLIC;
