-- Gives who a sharer of a prize is, for the draft of a form, and nobody else; look_at_identification
-- says who may look, and writes the look down.
CREATE FUNCTION sharer_on_form(of_claim bigint, of_identification bigint, looker bigint)
RETURNS TABLE (
    name text, born date, document text, document_number text, tax_number text, address text,
    country text
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT shown.name, shown.born, shown.document, shown.document_number,
           shown.tax_number, shown.address, shown.country
    FROM look_at_identification(of_claim, looker, 'form') AS shown
    WHERE shown.id = of_identification
$$;
REVOKE EXECUTE ON FUNCTION sharer_on_form(bigint, bigint, bigint) FROM PUBLIC;
