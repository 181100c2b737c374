-- Whether a credential of a device holds: not ended, its certificate not over, nor past the time until
-- which it overlaps with a successor. A successor that was revoked before that time leaves the one
-- before as it was.
CREATE FUNCTION device_holds(credential bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
           SELECT FROM tables_devicecredential c
           WHERE c.id = credential AND coalesce(c.not_after, 'infinity') > clock_timestamp())
       AND NOT EXISTS (SELECT FROM tables_deviceend e WHERE e.credential_id = credential)
       AND NOT EXISTS (
           SELECT FROM tables_devicecredential s
           LEFT JOIN tables_deviceend e ON e.credential_id = s.id
           WHERE s.replaces_id = credential
             AND s.overlap_until <= least(clock_timestamp(), coalesce(e.at, 'infinity')))
$$;
