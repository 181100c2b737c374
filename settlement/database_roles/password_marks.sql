-- A SHA-256 of each role's password as the server keeps it, which settlement/database_roles/passwords.py
-- watches. PostgreSQL's administrator makes it: deploy/roles.sh, or grant_roles where it runs as one.
CREATE SCHEMA IF NOT EXISTS jackpot_admin;
CREATE OR REPLACE FUNCTION jackpot_admin.password_marks() RETURNS TABLE (role name, mark text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT rolname, encode(sha256(convert_to(coalesce(rolpassword, ''), 'UTF8')), 'hex')
    FROM pg_authid WHERE rolname LIKE 'jackpot\_%'
$$;
REVOKE ALL ON FUNCTION jackpot_admin.password_marks() FROM PUBLIC;
-- Where a superuser owns the tables, as in a demo, there is no jackpot_owner.
DO $$
DECLARE reader name;
BEGIN
    FOR reader IN
        SELECT rolname FROM pg_roles WHERE rolname IN ('jackpot_owner', 'jackpot_worker')
    LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA jackpot_admin TO %I', reader);
        EXECUTE format('GRANT EXECUTE ON FUNCTION jackpot_admin.password_marks() TO %I', reader);
    END LOOP;
END
$$;
