-- Writes each second factor and its end into the security log; an end by somebody else with both
-- people, and it ends the sessions of the person whose factor it was. With it, and with a first
-- factor, the person's access tokens end: they were issued where no factor was shown.
CREATE FUNCTION second_factor_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    by_whom text := CASE WHEN NEW.ended_by_id = NEW.person_id
        THEN (SELECT username FROM auth_user WHERE id = NEW.ended_by_id)
        ELSE nullif(current_setting('jackpot.given_by', true), '') END;
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.ended_at IS NULL OR OLD.ended_at IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(),
           CASE WHEN TG_OP = 'INSERT' THEN 'factor_added'
                WHEN NEW.ended_by_id = NEW.person_id THEN 'factor_ended'
                ELSE 'factor_reset' END,
           username, session_user,
           left(concat_ws('; ', concat(NEW.kind, ': ', NEW.name), 'by ' || by_whom), 200)
    FROM auth_user WHERE id = NEW.person_id;
    IF TG_OP = 'UPDATE' AND NEW.ended_by_id IS DISTINCT FROM NEW.person_id THEN
        DELETE FROM console_session WHERE person_id = NEW.person_id;
    END IF;
    IF (TG_OP = 'UPDATE' AND NEW.ended_by_id IS DISTINCT FROM NEW.person_id)
       OR (TG_OP = 'INSERT' AND NOT EXISTS (
           SELECT FROM settlement_secondfactor
           WHERE person_id = NEW.person_id AND ended_at IS NULL AND id <> NEW.id))
    THEN
        UPDATE settlement_accesstoken SET revoked_at = clock_timestamp()
        WHERE person_id = NEW.person_id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER second_factor_is_written_down AFTER INSERT OR UPDATE ON settlement_secondfactor
    FOR EACH ROW EXECUTE FUNCTION second_factor_is_written_down();
ALTER TABLE settlement_secondfactor ENABLE ALWAYS TRIGGER second_factor_is_written_down;
