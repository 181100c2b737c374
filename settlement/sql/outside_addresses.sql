-- Of mail addresses, apart by white space, those of nobody who can log in and may export reports of
-- that casino.
CREATE FUNCTION outside_addresses(addresses text, of_casino bigint) RETURNS text[]
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(array_agg(one), '{}') FROM regexp_split_to_table(addresses, '\s+') AS one
    WHERE one <> '' AND NOT EXISTS (
        SELECT FROM auth_user u WHERE lower(u.email) = lower(one) AND u.is_active
          AND may_in_casino(u.id, 'export_reports', of_casino))
$$;
