-- Writes down what a role allows whenever that changes.
CREATE FUNCTION permissions_have_their_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_rolepermissions (role_id, permissions, by)
    SELECT g.id, given.permissions, role_given_by() FROM auth_group g
    CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(m.codename ORDER BY m.codename), '[]') AS permissions
        FROM auth_group_permissions o JOIN auth_permission m ON m.id = o.permission_id
        JOIN django_content_type t ON t.id = m.content_type_id AND t.app_label = 'settlement'
        WHERE o.group_id = g.id) AS given
    LEFT JOIN LATERAL (
        SELECT r.permissions FROM settlement_rolepermissions r WHERE r.role_id = g.id
        ORDER BY r.id DESC LIMIT 1) AS before ON true
    WHERE given.permissions <> coalesce(before.permissions, '[]') ORDER BY g.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER permissions_have_their_history
    AFTER INSERT OR UPDATE OR DELETE ON auth_group_permissions
    FOR EACH STATEMENT EXECUTE FUNCTION permissions_have_their_history();
ALTER TABLE auth_group_permissions ENABLE ALWAYS TRIGGER permissions_have_their_history;
