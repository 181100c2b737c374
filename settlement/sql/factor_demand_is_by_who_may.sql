-- Refuses a role that needs a second factor by the word of somebody who is not there or whose role
-- does not allow it in every casino, and one that needs none any more without two people who agreed
-- to it; writes each into the security log and the changes of set-up. What was before the first word
-- on a role is the opposite, as the console saves only changes. Promise: nobody makes log-ins weaker
-- alone.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION factor_demand_is_by_who_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    names text;
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        NULL;
    ELSIF NEW.demanded AND NOT (
        is_there(NEW.person_id) AND has_permission(NEW.person_id, 'set_factor_demand', NULL))
    THEN
        RAISE EXCEPTION 'log-in: person %, who says which roles need a second factor, is not there'
            ' or may not', NEW.person_id USING ERRCODE = 'insufficient_privilege';
    ELSIF NOT NEW.demanded AND NOT EXISTS (
        SELECT FROM settlement_setupdecision d
        JOIN settlement_setupproposal p ON p.id = d.proposal_id
        WHERE d.id = NEW.decision_id AND d.agreed AND d.person_id <> p.person_id
          AND p.kind = 'factor_demand' AND p.person_id = NEW.person_id
          AND p.body -> 'role' = to_jsonb(NEW.role_id))
    THEN
        RAISE EXCEPTION 'two_people: nobody agreed that role % needs no second factor', NEW.role_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    names := (SELECT concat(u.username, ' and ' || s.username) FROM auth_user u
              LEFT JOIN settlement_setupdecision d ON d.id = NEW.decision_id
              LEFT JOIN auth_user s ON s.id = d.person_id WHERE u.id = NEW.person_id);
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'factor_demand', u.username, session_user,
           left(concat(g.name, ': ',
                       CASE WHEN NEW.demanded THEN 'needed' ELSE 'not needed; by ' || names END),
                200)
    FROM auth_user u, auth_group g WHERE u.id = NEW.person_id AND g.id = NEW.role_id;
    INSERT INTO settlement_setupchange (by, kind, subject, what, before, after)
    SELECT names, 'factor_demand', g.name, 'changed',
           jsonb_build_object('needed', coalesce(
               (SELECT demanded FROM settlement_factordemand WHERE role_id = g.id
                ORDER BY id DESC LIMIT 1), NOT NEW.demanded)),
           jsonb_build_object('needed', NEW.demanded)
    FROM auth_group g WHERE g.id = NEW.role_id;
    NEW.at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE TRIGGER factor_demand_is_by_who_may BEFORE INSERT ON settlement_factordemand
    FOR EACH ROW EXECUTE FUNCTION factor_demand_is_by_who_may();
ALTER TABLE settlement_factordemand ENABLE ALWAYS TRIGGER factor_demand_is_by_who_may;
