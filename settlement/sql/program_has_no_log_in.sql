-- Refuses whatever would let a program in as people are: a password, a mail address, rights of
-- Django's own, a log-in that comes back after its end; a session, a second factor, a passkey that
-- signs, a PIN, a badge, a link to the log-in provider; whoever does.
-- Promise: a program logs in nowhere, and nobody is there in its name.
CREATE FUNCTION program_has_no_log_in() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    whose integer := to_jsonb(NEW) ->> CASE TG_TABLE_NAME WHEN 'auth_user' THEN 'id' ELSE 'person_id' END;
BEGIN
    IF EXISTS (SELECT FROM settlement_program WHERE person_id = whose) THEN
        RAISE EXCEPTION 'program: % logs in nowhere', whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER program_has_no_log_in BEFORE UPDATE ON auth_user
    FOR EACH ROW WHEN (
        NEW.password IS DISTINCT FROM OLD.password OR NEW.email <> OLD.email OR NEW.is_superuser
        OR NEW.is_staff OR NEW.is_active AND NOT OLD.is_active)
    EXECUTE FUNCTION program_has_no_log_in();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER program_has_no_log_in;

DO $$
DECLARE
    named text;
BEGIN
    FOREACH named IN ARRAY ARRAY[
        'console_session', 'settlement_secondfactor', 'settlement_recoverycode',
        'settlement_enrolmentcode', 'settlement_passwordlink', 'settlement_passwordlogin',
        'settlement_passwordcode', 'settlement_mailchange', 'settlement_pin', 'settlement_badge',
        'settlement_providerlink', 'settlement_signingkey'
    ] LOOP
        EXECUTE format('CREATE TRIGGER program_has_no_log_in BEFORE INSERT OR UPDATE OF person_id'
            ' ON %I FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)'
            ' EXECUTE FUNCTION program_has_no_log_in()', named);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER program_has_no_log_in', named);
    END LOOP;
END
$$;

-- Backwards:
-- DO $$
-- DECLARE
--     guarded regclass;
-- BEGIN
--     FOR guarded IN
--         SELECT tgrelid FROM pg_trigger
--         WHERE tgname = 'program_has_no_log_in' AND tgrelid <> 'auth_user'::regclass
--     LOOP
--         EXECUTE format('DROP TRIGGER program_has_no_log_in ON %s', guarded);
--     END LOOP;
-- END
-- $$;
