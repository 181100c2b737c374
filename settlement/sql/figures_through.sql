-- What each account of a system held after that transfer: micros by code. From the last close before
-- it, and the last running balance of each account that moved since; what never moved is left out.
CREATE FUNCTION figures_through(of_system bigint, through bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH closed AS (
        SELECT (c.body->>'through_transfer')::bigint AS transfer, c.body->'figures' AS figures
        FROM jackpot_entry n
        JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
        WHERE n.system_id = of_system AND n.type = 'close_day' AND NOT n.outcome ? 'refused'
          AND n.type IN ('close_day', 'close_month')
          AND (c.body->>'through_transfer')::bigint <= through
        ORDER BY n.seq DESC LIMIT 1
    ), legs AS (
        SELECT debit_id AS account, number, debit_after AS after FROM jackpot_transfer
        WHERE system_id = of_system AND number <= through
          AND number > coalesce((SELECT transfer FROM closed), 0)
        UNION ALL
        SELECT credit_id, number, credit_after FROM jackpot_transfer
        WHERE system_id = of_system AND number <= through
          AND number > coalesce((SELECT transfer FROM closed), 0)
    ), newest AS (
        SELECT account, (max(ARRAY[number, after]))[2] AS after FROM legs GROUP BY account
    )
    SELECT coalesce((SELECT figures FROM closed), '{}'::jsonb) || coalesce(
        (SELECT jsonb_object_agg(a.code, newest.after) FROM newest
         JOIN jackpot_account a ON a.id = newest.account), '{}'::jsonb)
$$;
