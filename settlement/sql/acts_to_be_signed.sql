-- Which acts of a casino are signed: none, large, all. What two people decided last; before that,
-- large ones once the house has a signing key. Of no casino, that is of the installation: all where
-- a casino wants all. `without`: leaves out so many of the newest decisions.
CREATE FUNCTION acts_to_be_signed(of_casino bigint, without integer DEFAULT 0) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH newest AS (
        SELECT DISTINCT ON (casino_id) casino_id, acts FROM settlement_signaturepolicy
        ORDER BY casino_id, id DESC)
    SELECT coalesce(
        (SELECT acts FROM settlement_signaturepolicy WHERE casino_id = of_casino
         ORDER BY id DESC LIMIT 1 OFFSET without),
        (SELECT acts FROM newest WHERE of_casino IS NULL AND acts = 'all' LIMIT 1),
        CASE WHEN EXISTS (SELECT FROM settlement_signingkey) THEN 'large' ELSE 'none' END)
$$;
