"""Whole numbers in words, a grammar for each language besides English: from 0 to below 10 to the
15th. They stand on slips: nobody adds a nought to them.

Checked against num2words, which has no Chinese and says "veintiuno mil" (decision 152).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

_GERMAN = (
    *("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    *("elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn"),
    "neunzehn",
)
_GERMAN_TENS = (
    *("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
)
_GERMAN_GROUPS = (
    (10**12, "eine Billion", "Billionen"),
    (10**9, "eine Milliarde", "Milliarden"),
    (10**6, "eine Million", "Millionen"),
)


def german(number: int) -> str:
    """Below a million one word.

    >>> german(1001), german(21_000), german(2_000_101)
    ('eintausendeins', 'einundzwanzigtausend', 'zwei Millionen einhunderteins')
    """
    parts, rest = [], number
    for size, one, several in _GERMAN_GROUPS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(one if count == 1 else f"{_german(count, 'eine')} {several}")
    thousands, rest = divmod(rest, 1000)
    text = f"{_german(thousands, 'ein')}tausend" if thousands else ""
    if rest or not (parts or text):
        text += _german(rest, "eins")
    return " ".join((*parts, text) if text else parts)


def _german(number: int, one: str) -> str:
    """Below a thousand; `one` is what a last one is called."""
    hundreds, rest = divmod(number, 100)
    text = f"{'ein' if hundreds == 1 else _GERMAN[hundreds]}hundert" if hundreds else ""
    if not rest and hundreds:
        return text
    tens, ones = divmod(rest, 10)
    if rest < len(_GERMAN):
        return text + (one if rest == 1 else _GERMAN[rest])
    before = f"{'ein' if ones == 1 else _GERMAN[ones]}und" if ones else ""
    return text + before + _GERMAN_TENS[tens - 2]


_SPANISH = (
    *("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
    *("once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho"),
    *("diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro"),
    *("veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve"),
)
_SPANISH_TENS = ("treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
_SPANISH_HUNDREDS = (
    *("ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos"),
    *("setecientos", "ochocientos", "novecientos"),
)


def spanish(number: int) -> str:
    """In the long scale: a thousand millions, then a billón.

    >>> spanish(1001), spanish(21_000), spanish(1_000_000)
    ('mil uno', 'veintiún mil', 'un millón')
    """
    parts = []
    for size, one, several in ((10**12, "un billón", "billones"), (10**6, "un millón", "millones")):
        count, number = divmod(number, size)
        if count:
            parts.append(one if count == 1 else f"{_shortened(_thousands(count))} {several}")
    if number or not parts:
        parts.append(_thousands(number))
    return " ".join(parts)


def _thousands(number: int) -> str:
    """Below a million."""
    thousands, rest = divmod(number, 1000)
    parts = []
    if thousands:
        parts.append("mil" if thousands == 1 else f"{_shortened(_spanish(thousands))} mil")
    if rest or not thousands:
        parts.append(_spanish(rest))
    return " ".join(parts)


def _shortened(words: str) -> str:
    """Before a noun the last one is shorter."""
    if words.endswith("veintiuno"):
        return words.removesuffix("uno") + "ún"
    return words.removesuffix("o") if words.endswith(" uno") or words == "uno" else words


def _spanish(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if number == 100:
        return "cien"
    parts = [_SPANISH_HUNDREDS[hundreds - 1]] if hundreds else []
    tens, ones = divmod(rest, 10)
    if rest >= len(_SPANISH):
        parts.append(_SPANISH_TENS[tens - 3] + (f" y {_SPANISH[ones]}" if ones else ""))
    elif rest or not hundreds:
        parts.append(_SPANISH[rest])
    return " ".join(parts)


_FRENCH = (
    *("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
    *("onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit"),
    "dix-neuf",
)
_FRENCH_TENS = ("vingt", "trente", "quarante", "cinquante", "soixante", "soixante")
_FRENCH_GROUPS = ((10**12, "billion"), (10**9, "milliard"), (10**6, "million"))


def french(number: int) -> str:
    """With soixante-dix and quatre-vingts; they keep their s before a noun and at the end.

    >>> french(80), french(81), french(80_000), french(200_000_000), french(1001)
    ('quatre-vingts', 'quatre-vingt-un', 'quatre-vingt mille', 'deux cents millions', 'mille un')
    """
    parts, rest = [], number
    for size, name in _FRENCH_GROUPS:
        count, rest = divmod(rest, size)
        if count:
            parts += [_french(count), name if count == 1 else f"{name}s"]
    thousands, rest = divmod(rest, 1000)
    if thousands > 1:
        words = _french(thousands)
        ends_in_s = words.endswith((" cents", "quatre-vingts"))
        parts.append(words.removesuffix("s") if ends_in_s else words)
    if thousands:
        parts.append("mille")
    if rest or not parts:
        parts.append(_french(rest))
    return " ".join(parts)


def _french(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_a_hundred(rest)
    text = "cent" if hundreds == 1 else f"{_FRENCH[hundreds]} cent"
    if not rest:
        return text if hundreds == 1 else f"{text}s"
    return f"{text} {_below_a_hundred(rest)}"


def _below_a_hundred(number: int) -> str:
    tens, ones = divmod(number, 10)
    if number < len(_FRENCH):
        return _FRENCH[number]
    if number >= 80:
        return f"quatre-vingt-{_FRENCH[number - 80]}" if number > 80 else "quatre-vingts"
    if tens == 7:
        ones += 10
    if not ones:
        return _FRENCH_TENS[tens - 2]
    between = " et " if ones in (1, 11) else "-"
    return f"{_FRENCH_TENS[tens - 2]}{between}{_FRENCH[ones]}"


_CHINESE = "零壹贰叁肆伍陆柒捌玖"
_CHINESE_PLACES = ("", "拾", "佰", "仟")
_CHINESE_GROUPS = ((10**8, "亿"), (10**4, "万"))


def chinese(number: int) -> str:
    """In the capital characters of financial papers.

    >>> chinese(10), chinese(10_001), chinese(100_000_001), chinese(1_000_500_000_000)
    ('壹拾', '壹万零壹', '壹亿零壹', '壹万零伍亿')
    """
    for size, name in _CHINESE_GROUPS:
        if number >= size:
            count, rest = divmod(number, size)
            zero = _CHINESE[0] if 0 < rest < size // 10 else ""
            return f"{chinese(count)}{name}{zero}{chinese(rest) if rest else ''}"
    text, is_open = "", False  # whether noughts stand before what comes next
    for place in range(3, -1, -1):
        digit = number // 10**place % 10
        if digit:
            zero = _CHINESE[0] if is_open and text else ""
            text += f"{zero}{_CHINESE[digit]}{_CHINESE_PLACES[place]}"
        is_open = not digit
    return text or _CHINESE[0]


IN_WORDS: Mapping[str, tuple[Callable[[int], str], str]] = {
    "de": (german, "und"),
    "es": (spanish, "con"),
    "fr": (french, "et"),
    "zh-hans": (chinese, "又"),
}
"""By language: the number, and what stands between it and a fraction."""
