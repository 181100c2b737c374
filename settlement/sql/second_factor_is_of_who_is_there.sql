-- Refuses a second factor over a connection that does not show its person, the first one after a
-- reset without its code (use_code), its end by anybody but that person, or two others
-- (decide_set_up), a code that was used before, a count
-- beyond what an app or a passkey reaches, which would take all its later codes away, and a change
-- of anything else. One that has ended stays ended. Times are the database's.
-- Promise: nobody acts beyond their role.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION second_factor_is_of_who_is_there() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    is_owner boolean := is_asked_by_owner(TG_RELID);
    -- Within a function of set-up, which asks for both.
    of_two boolean := pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER');
    -- An app's is the time step of 30 seconds, by clocks that may differ by five minutes; a
    -- passkey's has 32 bits.
    highest bigint := CASE NEW.kind
        WHEN 'totp' THEN extract(epoch FROM clock_timestamp())::bigint / 30 + 10
        ELSE 4294967295 END;
BEGIN
    IF NEW.count < 0 OR NEW.count > highest THEN
        RAISE EXCEPTION 'second factor: a count of % is beyond the clock', NEW.count
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF TG_OP = 'INSERT' THEN
        PERFORM hold_person(NEW.person_id);
        IF NOT is_owner AND NOT is_there(NEW.person_id) THEN
            RAISE EXCEPTION 'log-in: person %, whose second factor it is, is not there',
                NEW.person_id USING ERRCODE = 'insufficient_privilege';
        END IF;
        IF NOT is_owner AND awaits_code(NEW.person_id) THEN
            RAISE EXCEPTION 'enrolment: person % was reset, and gave no code', NEW.person_id
                USING ERRCODE = 'insufficient_privilege';
        END IF;
        NEW.made_at := clock_timestamp();
        NEW.used_at := NULL;
        NEW.ended_at := NULL;
        NEW.ended_by_id := NULL;
        NEW.wrong := 0;
        RETURN NEW;
    END IF;
    IF OLD.ended_at IS NOT NULL THEN
        RAISE EXCEPTION 'second factor: % has ended', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.used_at IS DISTINCT FROM OLD.used_at OR NEW.count <> OLD.count THEN
        IF NEW.count < OLD.count OR (NEW.count = OLD.count AND OLD.kind = 'totp') THEN
            RAISE EXCEPTION 'second factor: this code of % was used before', OLD.id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        NEW.used_at := clock_timestamp();
    END IF;
    IF NEW.ended_at IS NOT NULL THEN
        NEW.ended_at := clock_timestamp();
        IF NOT of_two AND (NEW.ended_by_id IS NULL OR NOT is_there(NEW.ended_by_id)) THEN
            RAISE EXCEPTION 'log-in: person %, who ends a second factor, is not there',
                NEW.ended_by_id USING ERRCODE = 'insufficient_privilege';
        END IF;
        IF NOT of_two AND NEW.ended_by_id <> NEW.person_id THEN
            RAISE EXCEPTION 'two_people: person % may not end second factors of others alone',
                NEW.ended_by_id USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER second_factor_is_of_who_is_there BEFORE INSERT OR UPDATE ON settlement_secondfactor
    FOR EACH ROW EXECUTE FUNCTION second_factor_is_of_who_is_there();
ALTER TABLE settlement_secondfactor ENABLE ALWAYS TRIGGER second_factor_is_of_who_is_there;
