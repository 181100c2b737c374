"""The names that a script gives to values, parameters, functions and attributes of its own."""

import re

# Of a line: behind an address (`https://…`) stands no comment.
COMMENT = re.compile(r"(^|\s)//.*", re.MULTILINE)
STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
NAME = r"[A-Za-z_$][\w$]*"
# A name, or what is taken apart: `{ decimal = ".", size: width }`, `[name, section]`.
VALUE = re.compile(rf"\b(?:const|let|var)\s+({NAME}|\{{[^}}]*\}}|\[[^\]]*\])")
FUNCTION = re.compile(rf"\b(?:function|class)\b\*?\s*({NAME})")
METHOD = re.compile(
    rf"^\s+(?:static |async |get |set )*(?!if|for|while|switch|catch)({NAME})\([^()]*\) \{{$",
    re.MULTILINE,
)
PARAMETERS = re.compile(r"(?<!\bif )(?<!\bfor )(?<!\bwhile )(?<!\bswitch )\(([^()]*)\)\s*(?:=>|\{)")
PARAMETER = re.compile(rf"(?<![\w.$)])({NAME})\s*=>")
ATTRIBUTE = re.compile(rf"\bthis\.({NAME}) = ")
KEY = re.compile(r"\w+\s*:(?!:)")
DEFAULT = re.compile(r"=[^,}\])]*")


def names_in_script(text: str) -> set[str]:
    """As far as they can be read without a parser: none of several values that one `let` names."""
    code = STRING.sub('""', COMMENT.sub(r"\1", text))
    patterns = [*VALUE.findall(code), *PARAMETERS.findall(code)]
    names = {
        name
        for pattern in patterns
        for name in re.findall(NAME, DEFAULT.sub("", KEY.sub("", pattern)))
    }
    for form in (FUNCTION, METHOD, PARAMETER, ATTRIBUTE):
        names.update(form.findall(code))
    return names
