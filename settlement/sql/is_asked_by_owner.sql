-- Whether the one who asks is the owner, whatever function is under way; SET ROLE counts.
CREATE FUNCTION is_asked_by_owner(of_table regclass) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT pg_has_role(
        CASE current_setting('role') WHEN 'none' THEN session_user
            ELSE current_setting('role')::name END,
        (SELECT relowner FROM pg_class WHERE oid = of_table), 'MEMBER')
$$;
