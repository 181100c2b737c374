-- Writes each signing key and its endorsement into the security log, with both people.
CREATE FUNCTION signing_keys_are_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(),
           CASE TG_TABLE_NAME WHEN 'settlement_signingkey' THEN 'signing_key_added'
               ELSE 'signing_key_endorsed' END,
           o.username, session_user,
           left(concat_ws('; ', k.name, CASE WHEN TG_TABLE_NAME = 'settlement_signature'
               THEN 'by ' || (SELECT username FROM auth_user
                              WHERE id = (to_jsonb(NEW) ->> 'person_id')::integer) END), 200)
    FROM settlement_signingkey k JOIN auth_user o ON o.id = k.person_id
    WHERE k.id = coalesce((to_jsonb(NEW) ->> 'row')::bigint, NEW.id);
    RETURN NULL;
END
$$;

CREATE TRIGGER signing_keys_are_written_down AFTER INSERT ON settlement_signingkey
    FOR EACH ROW EXECUTE FUNCTION signing_keys_are_written_down();
ALTER TABLE settlement_signingkey ENABLE ALWAYS TRIGGER signing_keys_are_written_down;

CREATE TRIGGER signing_keys_are_written_down AFTER INSERT ON settlement_signature
    FOR EACH ROW WHEN (NEW.source = 'settlement_signingkey')
    EXECUTE FUNCTION signing_keys_are_written_down();
ALTER TABLE settlement_signature ENABLE ALWAYS TRIGGER signing_keys_are_written_down;
