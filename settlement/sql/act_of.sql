-- What a person signs of an act, from its row (settlement/signatures/acts.py has the same before
-- there is a row). NULL where there is no such act. `registration`: of a key, by that key itself.
CREATE FUNCTION act_of(of_source text, of_row bigint, by_person integer) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT jsonb_build_object(
        'act', a.kind, 'system', s.code, 'claim', c.number, 'report', a.report_entry,
        'body', a.body, 'person', u.id, 'name', u.username, 'key', a.key)
    FROM settlement_action a JOIN settlement_claim c ON c.id = a.claim_id
    JOIN tables_jackpotsystem s ON s.id = c.system_id JOIN auth_user u ON u.id = a.person_id
    WHERE of_source = 'settlement_action' AND a.id = of_row AND a.person_id = by_person
    UNION ALL
    SELECT jsonb_build_object(
        'act', 'agree', 'system', s.code, 'kind', p.kind, 'subject', p.subject, 'body', p.body,
        'proposal', p.key, 'person', u.id, 'name', u.username)
    FROM settlement_proposaldecision d JOIN settlement_proposal p ON p.id = d.proposal_id
    JOIN tables_jackpotsystem s ON s.id = p.system_id JOIN auth_user u ON u.id = d.person_id
    WHERE of_source = 'settlement_proposaldecision' AND d.id = of_row
      AND d.person_id = by_person AND d.agreed
    UNION ALL
    SELECT jsonb_build_object(
        'act', 'approve_proposal', 'system', s.code, 'kind', p.kind, 'subject', p.subject,
        'body', p.body, 'proposal', p.key, 'person', u.id, 'name', u.username)
    FROM settlement_proposalapproval d JOIN settlement_proposal p ON p.id = d.proposal_id
    JOIN tables_jackpotsystem s ON s.id = p.system_id JOIN auth_user u ON u.id = d.person_id
    WHERE of_source = 'settlement_proposalapproval' AND d.id = of_row AND d.person_id = by_person
    UNION ALL
    SELECT jsonb_build_object(
        'act', 'agree_set_up', 'casino', c.code, 'kind', p.kind, 'body', p.body,
        'proposal', p.id, 'person', u.id, 'name', u.username)
    FROM settlement_setupdecision d JOIN settlement_setupproposal p ON p.id = d.proposal_id
    LEFT JOIN tables_casino c ON c.id = p.casino_id JOIN auth_user u ON u.id = d.person_id
    WHERE of_source = 'settlement_setupdecision' AND d.id = of_row
      AND d.person_id = by_person AND d.agreed
    UNION ALL
    SELECT jsonb_build_object(
        'act', 'endorse_key', 'of', o.id, 'of_name', o.username, 'algorithm', k.algorithm,
        'credential', encode(k.credential_id, 'hex'), 'public_key', encode(k.public_key, 'hex'),
        'origin', k.origin, 'person', u.id, 'name', u.username)
    FROM settlement_signingkey k JOIN auth_user o ON o.id = k.person_id
    JOIN auth_user u ON u.id = by_person
    WHERE of_source = 'settlement_signingkey' AND k.id = of_row
    UNION ALL
    SELECT jsonb_build_object(
        'act', 'register_key', 'algorithm', k.algorithm,
        'credential', encode(k.credential_id, 'hex'), 'public_key', encode(k.public_key, 'hex'),
        'origin', k.origin, 'person', u.id, 'name', u.username)
    FROM settlement_signingkey k JOIN auth_user u ON u.id = k.person_id
    WHERE of_source = 'registration' AND k.id = of_row AND k.person_id = by_person
$$;
