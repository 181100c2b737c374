-- The order, the ledger, blocks, commands, terms, checkpoints and display messages are never rewritten.
-- Promise: nothing is rewritten.
-- A row trigger never sees TRUNCATE, so that has a statement trigger of its own. Both are ENABLE
-- ALWAYS: a session that says session_replication_role = replica is refused too.
DO $$
DECLARE
    recorded text;
BEGIN
    FOREACH recorded IN ARRAY ARRAY[
        'jackpot_block', 'jackpot_checkpoint', 'jackpot_command', 'jackpot_displaymessage',
        'jackpot_entry', 'jackpot_setaside', 'jackpot_terms', 'jackpot_tierstep',
        'jackpot_transfer', 'jackpot_treetile', 'jackpot_witnessanswer'
    ] LOOP
        EXECUTE format('CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON %I'
            ' FOR EACH ROW EXECUTE FUNCTION refuse_change()', recorded);
        EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', recorded);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only_rows,'
            ' ENABLE ALWAYS TRIGGER append_only_table', recorded);
    END LOOP;
END
$$;

-- Backwards:
-- DO $$
-- DECLARE
--     recorded regclass;
-- BEGIN
--     FOR recorded IN
--         SELECT tgrelid FROM pg_trigger
--         WHERE tgname = 'append_only_rows' AND tgrelid::regclass::text LIKE 'jackpot\_%'
--     LOOP
--         EXECUTE format('DROP TRIGGER append_only_rows ON %s', recorded);
--         EXECUTE format('DROP TRIGGER append_only_table ON %s', recorded);
--     END LOOP;
-- END
-- $$;
