"""The mutants of a source file, by mutmut's operators: `<` for `<=`, None for an argument, ...

mutmut's own runner mutates copies of whole projects and skips decorated functions. Here a mutant is
a code object that takes the place of the original one in a running process: whoever imported the
function, or wrapped it, gets the mutant.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

# As mutmut: their arguments hardly ever tell.
_CALLS_LEFT_ALONE = {"len", "isinstance"}
# Run when a function is defined, which no test does.
_AT_DEFINITION = (cst.Annotation, cst.Decorator)


@dataclass(frozen=True)
class Mutant:
    """One change within one function. `function` is the qualified name of the outermost one, as
    `Class.method`; `lines` are those of the statement that changes, numbered from one."""

    path: Path
    function: str
    first_line: int  # of the function, decorators included: where its code object begins
    lines: range
    module: cst.Module = field(repr=False)
    original: cst.CSTNode = field(repr=False)
    changed: cst.CSTNode = field(repr=False)

    def change(self) -> str:
        """`before → after`, each in one line."""
        return f"{self._text(self.original)} → {self._text(self.changed)}"

    def code(self) -> CodeType | None:
        """The function's code object with the change; None where that is no Python."""
        module = cst.ensure_type(self.module.deep_replace(self.original, self.changed), cst.Module)
        try:
            whole = compile(module.code, str(self.path), "exec", dont_inherit=True)
        except SyntaxError:
            return None
        return next(
            (
                each
                for each in _code_objects(whole)
                if (each.co_qualname, each.co_firstlineno) == (self.function, self.first_line)
            ),
            None,
        )

    def _text(self, node: cst.CSTNode) -> str:
        return textwrap.shorten(self.module.code_for_node(node), 200, placeholder=" …")


def mutants_of(path: Path) -> list[Mutant]:
    """All mutants of a file, in the order of its text; of functions only."""
    wrapper = MetadataWrapper(cst.parse_module(path.read_text()))
    visitor = _Visitor(path, wrapper.module)
    wrapper.visit(visitor)
    return visitor.mutants


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, path: Path, module: cst.Module) -> None:
        super().__init__()
        self.mutants: list[Mutant] = []
        self._path = path
        self._module = module
        self._above: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _is_left_alone(node):
            return False
        self._above.append(node)
        functions = [each for each in self._above if isinstance(each, cst.FunctionDef)]
        if functions and node is not functions[0]:
            self._add(node, functions[0])
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._above and self._above[-1] is original_node:
            self._above.pop()

    def _add(self, node: cst.CSTNode, function: cst.FunctionDef) -> None:
        names = [
            each.name.value
            for each in self._above[: self._above.index(function) + 1]
            if isinstance(each, cst.ClassDef | cst.FunctionDef)
        ]
        first = function.decorators[0] if function.decorators else function
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for changed in operator(node):
                    self.mutants.append(
                        Mutant(
                            self._path,
                            ".".join(names),
                            self._place(first).start.line,
                            self._lines(),
                            self._module,
                            node,
                            changed,
                        )
                    )

    def _lines(self) -> range:
        """Of the innermost statement; of what stands in the head of a block its own and those
        from the head's first line on."""
        node = self._above[-1]
        if not isinstance(node, cst.BaseExpression | cst.BaseSmallStatement | cst.Match):
            node = self._above[-2]
        place = self._place(node)
        for each in reversed(self._above):
            if isinstance(each, cst.SimpleStatementLine):
                place = self._place(each)
                break
            if isinstance(each, cst.BaseCompoundStatement):
                return range(self._place(each).start.line, place.end.line + 1)
        return range(place.start.line, place.end.line + 1)

    def _place(self, node: cst.CSTNode) -> CodeRange:
        place = self.get_metadata(PositionProvider, node)
        assert isinstance(place, CodeRange)
        return place


def _is_left_alone(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value in _CALLS_LEFT_ALONE
    if isinstance(node, cst.Param):
        return node.default is not None
    return isinstance(node, _AT_DEFINITION)


def _code_objects(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _code_objects(each)
