-- Lets a delivery go only once its receiver took it, and never changes an event. What waits or
-- failed stays, and with it its event, by the foreign key.
CREATE FUNCTION webhook_rows_go_when_taken() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.state <> 'delivered' THEN
        RAISE EXCEPTION 'webhook: delivery % was not taken', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END
$$;

CREATE TRIGGER webhook_rows_go_when_taken BEFORE DELETE ON settlement_webhookdelivery
    FOR EACH ROW EXECUTE FUNCTION webhook_rows_go_when_taken();
ALTER TABLE settlement_webhookdelivery ENABLE ALWAYS TRIGGER webhook_rows_go_when_taken;

CREATE TRIGGER webhook_event_never_changes BEFORE UPDATE ON settlement_webhookevent
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE settlement_webhookevent ENABLE ALWAYS TRIGGER webhook_event_never_changes;

-- Backwards:
-- DROP TRIGGER webhook_event_never_changes ON settlement_webhookevent;
