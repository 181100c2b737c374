-- Whether a person may confirm this claim, by role or by delegation.
CREATE FUNCTION may_confirm_claim(claim bigint, person integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_claim k
        WHERE k.id = claim AND has_permission(person, 'confirm_claim', k.system_id)
    ) OR EXISTS (
        SELECT FROM settlement_claim k
        JOIN settlement_proposal p ON p.system_id = k.system_id AND p.kind = 'delegate_claim'
         AND p.subject = k.number::text
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
        JOIN auth_user u ON u.username = p.body ->> 'person'
        WHERE k.id = claim AND u.id = person AND role_allows(u.id, 'take_delegation')
          AND p.body ->> 'capacity' = 'manager'
    )
$$;
