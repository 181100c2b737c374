-- Writes each signing key and its endorsement into the security log, with both people; an
-- endorsement by somebody else, or by the owner of the database, raises an alarm, too.
CREATE FUNCTION signing_keys_are_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    it jsonb := to_jsonb(NEW);
    of_key bigint := CASE TG_TABLE_NAME WHEN 'settlement_signingkey' THEN NEW.id
        WHEN 'settlement_signature' THEN (it ->> 'row')::bigint
        ELSE (it ->> 'key_id')::bigint END;
    by_whom text := CASE TG_TABLE_NAME
        WHEN 'settlement_signature' THEN (
            SELECT username FROM auth_user WHERE id = (it ->> 'person_id')::integer)
        WHEN 'settlement_ownerendorsement' THEN 'the owner of the database, ' || (it ->> 'by') END;
BEGIN
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(),
           CASE TG_TABLE_NAME WHEN 'settlement_signingkey' THEN 'signing_key_added'
               ELSE 'signing_key_endorsed' END,
           o.username, session_user, left(concat_ws('; ', k.name, 'by ' || by_whom), 200)
    FROM settlement_signingkey k JOIN auth_user o ON o.id = k.person_id WHERE k.id = of_key;
    IF by_whom IS NOT NULL THEN
        INSERT INTO tables_alarm (kind, subject, message, raised_at, count, last_at, cleared_by,
                                  cleared_note)
        SELECT 'key_endorsed', left(concat(o.username, ' by ', by_whom), 200),
               concat('the passkey ', k.name, ' of ', o.username, ' signs now'),
               clock_timestamp(), 1, clock_timestamp(), '', ''
        FROM settlement_signingkey k JOIN auth_user o ON o.id = k.person_id
        WHERE k.id = of_key AND o.username <> by_whom
        ON CONFLICT DO NOTHING;
    END IF;
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

CREATE TRIGGER signing_keys_are_written_down AFTER INSERT ON settlement_ownerendorsement
    FOR EACH ROW EXECUTE FUNCTION signing_keys_are_written_down();
ALTER TABLE settlement_ownerendorsement ENABLE ALWAYS TRIGGER signing_keys_are_written_down;
