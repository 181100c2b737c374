-- Refuses a second word of whoever named or plays, and one that clears a colleague by somebody
-- who was at the table. The time is the database's.
CREATE FUNCTION second_word_is_somebody_elses() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    play settlement_staffplay;
BEGIN
    SELECT * INTO play FROM settlement_staffplay WHERE id = NEW.play_id;
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), play.person_id);
    NEW.at := clock_timestamp();
    IF play.said_by_id IN (play.person_id, NEW.person_id) THEN
        RAISE EXCEPTION 'second_word: play % takes the word of somebody else, or none', play.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NOT NEW.agrees AND (NEW.person_id = play.person_id OR EXISTS (
        SELECT FROM settlement_staffplay p
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        LEFT JOIN settlement_staffplayword w ON w.play_id = p.id
        LEFT JOIN settlement_staffplayend e_play ON e_play.play_id = play.id
        WHERE p.person_id = NEW.person_id AND p.table_id = play.table_id
          AND coalesce(w.agrees, true)
          AND p.since <= coalesce(play.until, e_play.at, 'infinity')
          AND coalesce(p.until, e.at, 'infinity') >= play.since
    )) THEN
        RAISE EXCEPTION 'own_hand: person % was at the table of play %', NEW.person_id, play.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER second_word_is_somebody_elses BEFORE INSERT ON settlement_staffplayword
    FOR EACH ROW EXECUTE FUNCTION second_word_is_somebody_elses();
ALTER TABLE settlement_staffplayword ENABLE ALWAYS TRIGGER second_word_is_somebody_elses;
