-- The rows of counted drop and bank balances that say exactly what a command says: its person, day,
-- table, figures, file, and the count that it corrects, which is of the same table and day.
CREATE FUNCTION counts_behind(of_system bigint, of_command bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT x.id FROM settlement_moneycount x
    JOIN auth_user u ON u.id = x.person_id
    JOIN jackpot_command c ON (c.system_id, c.number) = (x.system_id, x.command)
    LEFT JOIN tables_gamingtable g ON (g.id, g.system_id) = (x.table_id, x.system_id)
    LEFT JOIN settlement_moneycount b ON b.id = x.corrects_id
     AND (b.system_id, b.kind, b.day) = (x.system_id, x.kind, x.day)
     AND b.table_id IS NOT DISTINCT FROM x.table_id
    WHERE c.system_id = of_system AND c.number = of_command
      AND c.kind = x.kind AND c.first = u.username AND c.second IS NULL
      AND (x.corrects_id IS NULL) = (b.id IS NULL) AND (x.table_id IS NULL) = (g.id IS NULL)
      AND c.body = jsonb_build_object('day', x.day, 'amount', x.amount, 'expected', x.expected,
                       'file', x.file, 'corrects', b.command, 'note', x.note)
                || CASE x.kind WHEN 'count_drop' THEN jsonb_build_object('table', g.code)
                   ELSE '{}'::jsonb END
$$;
