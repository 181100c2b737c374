-- Which acts of a casino are signed: none, large, all. What two people decided last; before that,
-- large ones once keys of two people sign, or did: with one alone nobody could act. Of no casino,
-- that is of the installation: as the casino that wants most signed. `before`: as it was before that decision of set-up, and before all that were
-- agreed to after it, so that several of one transaction do not stand in for each other.
CREATE FUNCTION acts_to_be_signed(of_casino bigint, before bigint DEFAULT NULL) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH newest AS (
        SELECT DISTINCT ON (casino_id) casino_id, acts FROM settlement_signaturepolicy
        ORDER BY casino_id, id DESC)
    SELECT coalesce(
        (SELECT acts FROM settlement_signaturepolicy WHERE casino_id = of_casino
         ORDER BY id DESC LIMIT 1 OFFSET (
             SELECT count(*) FROM settlement_setupdecision d
             JOIN settlement_setupproposal p ON p.id = d.proposal_id
             WHERE d.id >= before AND d.agreed AND p.kind = 'signatures'
               AND p.casino_id = of_casino)),
        CASE WHEN of_casino IS NULL THEN (
            SELECT CASE WHEN bool_or(n.acts = 'all') THEN 'all'
                        WHEN bool_or(n.acts = 'large') THEN 'large'
                        WHEN bool_and(coalesce(n.acts, '') = 'none') THEN 'none' END
            FROM tables_casino c LEFT JOIN newest n ON n.casino_id = c.id) END,
        CASE WHEN (
            SELECT count(DISTINCT k.person_id) FROM settlement_signingkey k
            WHERE signing_key_began(k.id)) > 1
        THEN 'large' ELSE 'none' END)
$$;
