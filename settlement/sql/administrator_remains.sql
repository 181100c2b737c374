-- Refuses to take the last one away who administers people in every casino, without a last day and
-- not locked. Asked at the end of a function that changed a person, under the lock of set-up.
CREATE FUNCTION administrator_remains(whose integer) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM settlement_rolechange c
        WHERE c.person_id = whose AND c.granted AND c.role_id IS NOT NULL AND c.casino_id IS NULL
          AND (SELECT r.permissions ? 'administer_people' FROM settlement_rolepermissions r
               WHERE r.role_id = c.role_id ORDER BY r.id DESC LIMIT 1))
       AND NOT EXISTS (
        SELECT FROM (
            SELECT DISTINCT ON (c.person_id, c.role_id)
                   c.person_id, c.role_id, c.granted, c.until
            FROM settlement_rolechange c WHERE c.role_id IS NOT NULL AND c.casino_id IS NULL
            ORDER BY c.person_id, c.role_id, c.id DESC) AS held
        JOIN auth_user u ON u.id = held.person_id AND u.is_active
        WHERE held.granted AND held.until IS NULL
          AND (SELECT r.permissions ? 'administer_people' FROM settlement_rolepermissions r
               WHERE r.role_id = held.role_id ORDER BY r.id DESC LIMIT 1))
    THEN
        RAISE EXCEPTION 'last: nobody would administer people in every casino'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END
$$;
