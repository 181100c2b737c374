-- Whether an administrator decides on rules of a casino alone: as long as nobody could ever agree
-- there. It counts who ever could, so that nobody comes back to it by locking others. Ask it under
-- the lock of set-up.
CREATE FUNCTION decides_alone(of_casino bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT NOT EXISTS (
        SELECT FROM settlement_rolechange c
        WHERE c.granted AND c.role_id IS NOT NULL
          AND (c.casino_id IS NULL OR c.casino_id = of_casino)
          AND (SELECT r.permissions ? 'second_set_up' FROM settlement_rolepermissions r
               WHERE r.role_id = c.role_id ORDER BY r.id DESC LIMIT 1))
$$;
