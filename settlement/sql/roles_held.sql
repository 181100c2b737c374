-- What the roles of a person allow now; `casino` NULL: everywhere. One whose time is over allows
-- nothing.
CREATE FUNCTION roles_held(of_person integer)
RETURNS TABLE (role integer, casino bigint, permissions jsonb)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT held.role_id, held.casino_id, allowed.permissions FROM (
        SELECT DISTINCT ON (c.role_id, c.casino_id) c.role_id, c.casino_id, c.granted, c.until
        FROM settlement_rolechange c WHERE c.person_id = of_person AND c.role_id IS NOT NULL
        ORDER BY c.role_id, c.casino_id, c.id DESC
    ) AS held
    JOIN LATERAL (
        SELECT r.permissions FROM settlement_rolepermissions r
        WHERE r.role_id = held.role_id ORDER BY r.id DESC LIMIT 1) AS allowed ON true
    WHERE held.granted AND (held.until IS NULL OR held.until > statement_timestamp())
      AND EXISTS (SELECT FROM auth_user WHERE id = of_person AND is_active)
$$;
