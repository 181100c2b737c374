"""Whatever people and programs send has an upper bound; a field that is new cannot escape."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from drf_spectacular.generators import SchemaGenerator

from settlement import pages


def unbounded(name: str, schema: dict[str, Any], parts: dict[str, Any]) -> Iterator[str]:
    """The fields of a body in which more and more can be sent.

    A report and a document of terms are objects of any shape here: their readers have bounds.
    """
    if "$ref" in schema:
        of = schema["$ref"].rpartition("/")[2]
        yield from unbounded(of, parts[of], parts)
    for each in (*schema.get("allOf", ()), *schema.get("oneOf", ()), *schema.get("anyOf", ())):
        yield from unbounded(name, each, parts)
    kind = schema.get("type")
    is_known = "enum" in schema or schema.get("format") in ("uuid", "date", "date-time")
    if kind == "string" and not is_known and "maxLength" not in schema:
        yield name
    if kind == "integer" and not is_known and "maximum" not in schema:
        yield name
    if kind == "array":
        if "maxItems" not in schema:
            yield name
        yield from unbounded(f"{name}[]", schema["items"], parts)
    for field, its in schema.get("properties", {}).items():
        yield from unbounded(f"{name}.{field}", its, parts)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from unbounded(f"{name}.*", schema["additionalProperties"], parts)


@pytest.mark.django_db
def test_every_body_of_the_api_is_bounded() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    parts = schema["components"]["schemas"]
    bodies = [
        body["schema"]
        for path in schema["paths"].values()
        for action in path.values()
        for body in action.get("requestBody", {}).get("content", {}).values()
    ]
    assert len(bodies) > 30
    assert {fault for body in bodies for fault in unbounded("", body, parts)} == set()


def forms_of_pages() -> set[Any]:
    for module in pkgutil.iter_modules(pages.__path__, "settlement.pages."):
        importlib.import_module(module.name)
    form_classes: set[Any] = set()
    waiting: list[type[Any]] = [forms.Form]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        form_classes |= {each for each in below if each.__module__.startswith("settlement.")}
    return form_classes


def test_every_text_and_number_of_a_form_is_bounded() -> None:
    unbounded_fields = {
        f"{form.__name__}.{name}"
        for form in forms_of_pages()
        for name, field in form.base_fields.items()
        if (type(field) is forms.CharField and field.max_length is None)
        or (type(field) is forms.IntegerField and field.max_value is None)
    }
    assert len(forms_of_pages()) > 20
    assert unbounded_fields == set()
