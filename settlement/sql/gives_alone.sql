-- Whether an administrator gives roles alone: as long as nobody could ever agree. It counts who ever
-- could, so that nobody comes back to it by locking others. Ask it under the lock of set-up.
CREATE FUNCTION gives_alone() RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT NOT EXISTS (
        SELECT FROM settlement_rolechange c
        WHERE c.granted AND c.role_id IS NOT NULL
          AND (SELECT r.permissions ? 'second_set_up' FROM settlement_rolepermissions r
               WHERE r.role_id = c.role_id ORDER BY r.id DESC LIMIT 1))
$$;
