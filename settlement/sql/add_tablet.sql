-- Makes a browser a shared tablet of a casino, by the SHA-256 of what its cookie will hold, for whoever
-- administers people there, and writes it down. Gives its number.
CREATE FUNCTION add_tablet(who integer, of_casino bigint, of_name text, of_digest text)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    by_whom text := require_set_up(who, 'administer_people', of_casino);
    made bigint;
BEGIN
    INSERT INTO settlement_sharedtablet (casino_id, name, digest, made_by_id)
    VALUES (of_casino, of_name, of_digest, who) RETURNING id INTO made;
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    VALUES (by_whom, 'tablet', of_name, of_casino, 'made', '{}',
            jsonb_build_object('name', of_name));
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION add_tablet(integer, bigint, text, text) FROM PUBLIC;
