-- Refuses a schedule of reports, or its end, by somebody who is not there or may not export reports
-- of the casino; one that mails to anybody else than people who may, without two people who agreed to
-- just that one; any change besides its one end; and its removal. Writes each into the changes of
-- set-up. Promise: nobody has reports sent out of the house alone.
-- Who is there and may is asked of the roles of the running processes; the owner, who could drop it,
-- is not asked.
CREATE FUNCTION schedule_is_by_who_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    ends text[] := '{ended_at,ended_by_id}';
    who integer;
    names text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'schedule % stays as it is', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND (
        OLD.ended_at IS NOT NULL OR NEW.ended_at IS NULL OR NEW.ended_by_id IS NULL
        OR to_jsonb(NEW) - ends <> to_jsonb(OLD) - ends)
    THEN
        RAISE EXCEPTION 'schedule % stays as it is, and ends once', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    who := CASE TG_OP WHEN 'UPDATE' THEN NEW.ended_by_id ELSE NEW.person_id END;
    IF is_asked_by_owner(TG_RELID) THEN
        NULL;
    ELSIF TG_OP = 'INSERT' AND NEW.decision_id IS NOT NULL THEN
        IF NOT EXISTS (
            SELECT FROM settlement_setupdecision d
            JOIN settlement_setupproposal p ON p.id = d.proposal_id
            WHERE d.id = NEW.decision_id AND d.agreed AND d.person_id <> p.person_id
              AND p.kind = 'report_schedule' AND p.person_id = NEW.person_id
              AND p.casino_id = NEW.casino_id AND to_jsonb(NEW) || p.body = to_jsonb(NEW))
        THEN
            RAISE EXCEPTION 'two_people: nobody agreed to this schedule'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    ELSIF NOT is_there(who) THEN
        RAISE EXCEPTION 'log-in: person %, of a schedule, is not there', who
            USING ERRCODE = 'insufficient_privilege';
    ELSIF NOT may_in_casino(who, 'export_reports', NEW.casino_id) THEN
        RAISE EXCEPTION 'permission: person % may not export reports', who
            USING ERRCODE = 'integrity_constraint_violation';
    ELSIF TG_OP = 'INSERT' AND outside_addresses(NEW.mail_to, NEW.casino_id) <> '{}' THEN
        RAISE EXCEPTION 'two_people: this schedule mails to somebody else'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF TG_OP = 'UPDATE' THEN
        NEW.ended_at := clock_timestamp();
    ELSE
        NEW.ended_at := NULL;
        NEW.ended_by_id := NULL;
    END IF;
    names := (SELECT concat(u.username, ' and ' || s.username) FROM auth_user u
              LEFT JOIN settlement_setupdecision d
                  ON d.id = NEW.decision_id AND TG_OP = 'INSERT'
              LEFT JOIN auth_user s ON s.id = d.person_id WHERE u.id = who);
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT names, 'report_schedule', concat(NEW.report, NEW.of_return, ' #', NEW.id), NEW.casino_id,
           CASE TG_OP WHEN 'INSERT' THEN 'made' ELSE 'changed' END,
           CASE TG_OP WHEN 'INSERT' THEN '{}' ELSE '{"is_ended": false}'::jsonb END,
           CASE TG_OP WHEN 'INSERT' THEN NEW.filters || jsonb_build_object(
               'report', concat(NEW.report, NEW.of_return), 'made_for', NEW.moment,
               'files', NEW.formats, 'mail_to', string_to_array(NEW.mail_to, E'\n'),
               'folder', NEW.folder)
           ELSE '{"is_ended": true}' END;
    RETURN NEW;
END
$$;

CREATE TRIGGER schedule_is_by_who_may BEFORE INSERT OR UPDATE OR DELETE
    ON settlement_reportschedule
    FOR EACH ROW EXECUTE FUNCTION schedule_is_by_who_may();
ALTER TABLE settlement_reportschedule ENABLE ALWAYS TRIGGER schedule_is_by_who_may;

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlement_reportschedule
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_reportschedule ENABLE ALWAYS TRIGGER never_emptied;

-- Backwards:
-- DROP TRIGGER never_emptied ON settlement_reportschedule;
