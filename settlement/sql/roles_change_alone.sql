-- Lets whoever acts while a role changes wait, and find the role as it is then: records stand
-- in that order.
CREATE FUNCTION roles_change_alone() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('roles'));
    RETURN NULL;
END
$$;

CREATE TRIGGER roles_change_alone BEFORE INSERT ON settlement_rolechange
    FOR EACH STATEMENT EXECUTE FUNCTION roles_change_alone();
ALTER TABLE settlement_rolechange ENABLE ALWAYS TRIGGER roles_change_alone;

CREATE TRIGGER roles_change_alone BEFORE INSERT ON settlement_rolepermissions
    FOR EACH STATEMENT EXECUTE FUNCTION roles_change_alone();
ALTER TABLE settlement_rolepermissions ENABLE ALWAYS TRIGGER roles_change_alone;
