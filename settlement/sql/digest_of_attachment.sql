-- The hash and the length of a file as it is stored now, for roles that do not read files: it
-- gives nothing of the file away.
CREATE FUNCTION digest_of_attachment(attachment bigint)
RETURNS TABLE (size integer, sha256 bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT octet_length(a.content), sha256(a.content)
    FROM settlement_attachment a WHERE a.id = attachment
$$;
REVOKE EXECUTE ON FUNCTION digest_of_attachment(bigint) FROM PUBLIC;
