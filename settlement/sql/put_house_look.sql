-- Says how a casino's screens look, for whoever may manage screens there; without a logo the one of
-- before stays, if it is wanted.
CREATE FUNCTION put_house_look(who integer, of_casino bigint, wanted jsonb, drawn bytea)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    keeps boolean := drawn IS NULL AND (wanted ->> 'keep_picture')::boolean;
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'manage_screens', of_casino), true);
    INSERT INTO jackpot_houselook AS l
        (casino_id, background, text, accent, font, names, picture, picture_type, picture_digest)
    VALUES (of_casino, wanted ->> 'background', wanted ->> 'text', wanted ->> 'accent',
            wanted ->> 'font', nullif(wanted -> 'names', 'null'), drawn, coalesce(wanted ->> 'picture_type', ''),
            coalesce(encode(sha256(drawn), 'hex'), ''))
    ON CONFLICT (casino_id) DO UPDATE
    SET background = excluded.background, text = excluded.text, accent = excluded.accent,
        font = excluded.font, names = excluded.names,
        picture = CASE WHEN keeps THEN l.picture ELSE excluded.picture END,
        picture_type = CASE WHEN keeps THEN l.picture_type ELSE excluded.picture_type END,
        picture_digest = CASE WHEN keeps THEN l.picture_digest ELSE excluded.picture_digest END;
    UPDATE jackpot_screen SET version = version + 1
    WHERE casino_id = of_casino AND ended_at IS NULL;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION put_house_look(integer, bigint, jsonb, bytea) FROM PUBLIC;
