-- The rows of remitted tax that say exactly what a command says: its person, amount, reference, and
-- of a reversal why, and which remittance it undoes: one of the same system and amount that the
-- order carried out.
CREATE FUNCTION remittances_behind(of_system bigint, of_command bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT x.id FROM settlement_taxremittance x
    JOIN auth_user u ON u.id = x.person_id
    JOIN jackpot_command c ON (c.system_id, c.number) = (x.system_id, x.command)
    LEFT JOIN settlement_taxremittance r ON r.id = x.reverses_id
     AND (r.system_id, r.kind, r.amount) = (x.system_id, 'remit_tax', x.amount)
    LEFT JOIN jackpot_entry n ON (n.system_id, n.command) = (r.system_id, r.command)
    WHERE c.system_id = of_system AND c.number = of_command
      AND c.kind = x.kind AND c.first = u.username AND c.second IS NULL
      AND c.body = CASE x.kind
            WHEN 'remit_tax' THEN jsonb_build_object('amount', x.amount, 'reference', x.reference)
            ELSE jsonb_build_object('amount', x.amount, 'reason', x.reason,
                                    'remittance', r.command)
            END
      AND (x.kind = 'remit_tax' OR n.outcome ? 'remitted')
$$;
