-- The hash and the length of the file of a filed form as it is stored now, for roles that do not read
-- files: it gives nothing of the file away.
CREATE FUNCTION digest_of_filing_file(of_file bigint)
RETURNS TABLE (size integer, sha256 bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT octet_length(f.content), sha256(f.content)
    FROM settlement_filingfile f WHERE f.id = of_file
$$;
REVOKE EXECUTE ON FUNCTION digest_of_filing_file(bigint) FROM PUBLIC;
