-- Whether an administrator gives roles alone: as long as nobody else could ever agree. It counts
-- who ever could, so that nobody comes back to it by locking others.
CREATE FUNCTION gives_alone(who integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT NOT EXISTS (
        SELECT FROM settlement_rolechange c
        WHERE c.granted AND c.person_id <> who AND c.role_id IS NOT NULL
          AND (SELECT r.permissions ? 'second_set_up' FROM settlement_rolepermissions r
               WHERE r.role_id = c.role_id ORDER BY r.id DESC LIMIT 1))
$$;
