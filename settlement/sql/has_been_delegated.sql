-- Whether a permission is a person's by delegation, for what can be delegated of a claim.
CREATE FUNCTION has_been_delegated(of_person integer, asked text, of_claim bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT role_allows(of_person, 'take_delegation') AND EXISTS (
        SELECT FROM settlement_claim k
        JOIN settlement_proposal p ON p.system_id = k.system_id AND p.kind = 'delegate_claim'
         AND p.subject = k.number::text
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN auth_user u ON u.username = p.body ->> 'person'
        WHERE k.id = of_claim AND u.id = of_person AND (p.body ->> 'capacity', asked) IN (
            ('manager', 'confirm_claim'), ('manager', 'second_rejection'),
            ('supervisor', 'verify_claim')))
$$;
