-- Writes down who got or lost a role, and until when it holds (put_role).
CREATE FUNCTION role_has_its_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP IN ('DELETE', 'UPDATE') THEN
        INSERT INTO settlement_rolechange (person_id, role_id, granted, by)
        VALUES (OLD.user_id, OLD.group_id, false, role_given_by());
    END IF;
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        INSERT INTO settlement_rolechange (person_id, role_id, granted, until, by)
        VALUES (NEW.user_id, NEW.group_id, true,
                nullif(current_setting('jackpot.given_until', true), '')::timestamptz,
                role_given_by());
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER role_has_its_history AFTER INSERT OR UPDATE OR DELETE ON auth_user_groups
    FOR EACH ROW EXECUTE FUNCTION role_has_its_history();
ALTER TABLE auth_user_groups ENABLE ALWAYS TRIGGER role_has_its_history;
