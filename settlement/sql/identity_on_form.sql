-- Gives who the player of one seat is, for the draft of a form, and nothing of other seats;
-- look_at_identification says who may look, and writes the look down.
CREATE FUNCTION identity_on_form(of_claim bigint, of_seat smallint, looker bigint)
RETURNS TABLE (
    name text, born date, document text, document_number text, tax_number text, address text,
    country text
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT shown.name, shown.born, shown.document, shown.document_number,
           shown.tax_number, shown.address, shown.country
    FROM look_at_identification(of_claim, looker, 'form') AS shown WHERE shown.seat = of_seat
$$;
REVOKE EXECUTE ON FUNCTION identity_on_form(bigint, smallint, bigint) FROM PUBLIC;
