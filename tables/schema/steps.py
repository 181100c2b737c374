"""A migration's changes of the schema, made as one step.

After each operation Django renders every model again that is related to the changed one. Here most
are related to all others, by the people who acted, and a new installation spent most of its time
on that. Of operations that do nothing but change the schema, only the end matters: the models are
rendered once, and the operations are made with them.
"""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelOptions,
    CreateModel,
    RemoveConstraint,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

Change = (
    AddConstraint
    | AddField
    | AddIndex
    | AlterField
    | AlterModelOptions
    | CreateModel
    | RemoveConstraint
)


class SchemaStep(Operation):
    """Changes of one migration, in their order; no two of them of the same field, and none that
    needs to see the tables as another left them: code, SQL and new names stand alone."""

    reversible = True
    reduces_to_sql = True

    def __init__(self, *changes: Change) -> None:
        self.changes = changes
        new = {each.name_lower for each in changes if isinstance(each, CreateModel)}
        # A new table is made as it is in the end, with whatever else is said of it.
        self.operations = [
            each for each in changes if isinstance(each, CreateModel) or _model(each) not in new
        ]

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # the rendered models: who asks next renders them once
        for change in self.changes:
            change.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for change in self.operations:
            change.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for change in reversed(self.operations):
            change.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return "; ".join(change.describe() for change in self.changes)


def in_one_step(*changes: Change) -> list[Operation]:
    """The operations of a migration, or of its part that changes the schema."""
    return [SchemaStep(*changes)]


def _model(change: Change) -> str:
    """The model that it changes, in small letters as states have it."""
    if isinstance(change, AlterModelOptions | CreateModel):
        return change.name_lower
    return change.model_name.lower()
