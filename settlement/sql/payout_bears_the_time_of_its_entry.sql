-- Gives a payout the time of its entry in the order. The owner, who replays and simulates,
-- gives times.
CREATE FUNCTION payout_bears_the_time_of_its_entry() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    NEW.at := (SELECT e.at FROM jackpot_entry e JOIN settlement_claim k ON k.system_id = e.system_id
               WHERE k.id = NEW.claim_id AND e.seq = NEW.entry_seq);
    RETURN NEW;
END
$$;

CREATE TRIGGER payout_bears_the_time_of_its_entry BEFORE INSERT ON settlement_payout
    FOR EACH ROW EXECUTE FUNCTION payout_bears_the_time_of_its_entry();
ALTER TABLE settlement_payout ENABLE ALWAYS TRIGGER payout_bears_the_time_of_its_entry;
