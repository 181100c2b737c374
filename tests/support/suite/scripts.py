"""The names that a script gives to values, parameters, functions and attributes of its own."""

from collections.abc import Iterator

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_javascript.language()))
_LEAVES = {
    "identifier",
    "shorthand_property_identifier_pattern",
    "property_identifier",
    "private_property_identifier",
}
# Of each kind of node the fields in which something gets its name.
_NAMING_FIELDS = {
    "variable_declarator": ("name",),
    "function_declaration": ("name",),
    "function_expression": ("name",),
    "generator_function_declaration": ("name",),
    "class_declaration": ("name",),
    "class": ("name",),
    "method_definition": ("name",),
    "field_definition": ("property",),
    "arrow_function": ("parameter",),
    "catch_clause": ("parameter",),
    "for_in_statement": ("left",),
}


def names_in_script(text: str) -> set[str]:
    """Its names; ValueError where it is no script."""
    root = _PARSER.parse(text.encode()).root_node
    if root.has_error:
        raise ValueError("this cannot be read as a script")
    return {leaf.text.decode() for leaf in _names_below(root) if leaf.text}


def _names_below(node: Node) -> Iterator[Node]:
    """The leaves below a node that are names given here."""
    for name in _NAMING_FIELDS.get(node.type, ()):
        if field := node.child_by_field_name(name):
            yield from _leaves(field)
    if node.type == "formal_parameters":
        for parameter in node.named_children:
            yield from _leaves(parameter)
    if node.type == "assignment_expression":
        left = node.child_by_field_name("left")
        if left and left.type == "member_expression" and left.named_children[0].type == "this":
            yield from _leaves(left.named_children[-1])
    for child in node.named_children:
        yield from _names_below(child)


def _leaves(pattern: Node) -> Iterator[Node]:
    """The names in what takes a value apart: `{ size: width, decimal = "." }`, `[a, ...b]`."""
    if pattern.type in _LEAVES:
        yield pattern
    elif pattern.type == "pair_pattern":
        yield from _part(pattern, "value")
    elif pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        yield from _part(pattern, "left")
    elif pattern.type in ("object_pattern", "array_pattern", "rest_pattern"):
        for part in pattern.named_children:
            yield from _leaves(part)


def _part(pattern: Node, field: str) -> Iterator[Node]:
    part = pattern.child_by_field_name(field)
    return _leaves(part) if part else iter(())
