-- A text in small letters without accents, so that one name written in two ways is the same text.
-- Letters are those of its own tables and no locale's: another server changes nothing. Two letters
-- that some write for one (ae, oe, ue, aa) count as one.
CREATE FUNCTION plain_letters(written text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = public, pg_temp AS $$
    SELECT regexp_replace(replace(replace(replace(replace(translate(
        regexp_replace(normalize(written, NFKD), '[\u0300-\u036f]', '', 'g'),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZÆŒÞẞ'
        'ØøĐđÐðŁłıĦħ'
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς'
        'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
        'abcdefghijklmnopqrstuvwxyzæœþß'
        'ooddddllihh'
        'αβγδεζηθικλμνξοπρστυφχψωσ'
        'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'),
        'ß', 'ss'), 'æ', 'a'), 'œ', 'o'), 'þ', 'th'),
        '(a)[ae]|(o)e|(u)e', '\1\2\3', 'g')
$$;
