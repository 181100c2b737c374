-- Refuses a change of which roles need a second factor by somebody who is not there or whose role
-- does not allow it in every casino; writes each into the security log.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION factor_demand_is_by_who_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_asked_by_owner(TG_RELID) AND NOT (
        is_there(NEW.person_id) AND has_permission(NEW.person_id, 'set_factor_demand', NULL))
    THEN
        RAISE EXCEPTION 'log-in: person %, who says which roles need a second factor, is not there'
            ' or may not', NEW.person_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'factor_demand', u.username, session_user,
           left(concat(g.name, ': ', CASE WHEN NEW.demanded THEN 'needed' ELSE 'not needed' END),
                200)
    FROM auth_user u, auth_group g WHERE u.id = NEW.person_id AND g.id = NEW.role_id;
    NEW.at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE TRIGGER factor_demand_is_by_who_may BEFORE INSERT ON settlement_factordemand
    FOR EACH ROW EXECUTE FUNCTION factor_demand_is_by_who_may();
ALTER TABLE settlement_factordemand ENABLE ALWAYS TRIGGER factor_demand_is_by_who_may;
