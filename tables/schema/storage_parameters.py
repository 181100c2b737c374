"""How the database keeps tables: those that only grow, and files.

Tables that only grow are vacuumed by slices, and each row is frozen once.
By PostgreSQL's own defaults a table is vacuumed when it has grown by a fifth, which at a hundred
million rows means twenty million, and what is not frozen by then is frozen in one piece when it is
200 million transactions old: all pages are read and most are written again. Rows that never change
can be frozen as soon as they are there (docs/scale.md).
"""

from collections.abc import Mapping

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

OF_WHAT_GROWS: Mapping[str, int] = {
    "autovacuum_vacuum_insert_scale_factor": 0,
    "autovacuum_vacuum_insert_threshold": 100_000,  # rows, whatever the table holds
    "autovacuum_freeze_min_age": 0,
}


class VacuumBySlices(Operation):
    """Sets the storage parameters of a model's table; neither readers nor writers wait for it."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, model: str) -> None:
        self.model = model

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Models say nothing of it."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        values = ", ".join(f"{name} = {value}" for name, value in OF_WHAT_GROWS.items())
        schema_editor.execute(f"ALTER TABLE {_table(app_label, self.model)} SET ({values})")

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        names = ", ".join(OF_WHAT_GROWS)
        schema_editor.execute(f"ALTER TABLE {_table(app_label, self.model)} RESET ({names})")

    def describe(self) -> str:
        return f"Vacuum the table of {self.model} by slices"


class KeepInSlices(Operation):
    """Large values of a column as they came, which are compressed already as a rule: the database
    then reads a part of one without the rest. Those of rows that are there stay as they are.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, model: str, column: str) -> None:
        self.model, self.column = model, column

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Models say nothing of it."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        self._set(app_label, schema_editor, "EXTERNAL")

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        self._set(app_label, schema_editor, "EXTENDED")

    def describe(self) -> str:
        return f"Keep {self.column} of {self.model} in slices"

    def _set(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, storage: str) -> None:
        table = _table(app_label, self.model)
        schema_editor.execute(
            f'ALTER TABLE {table} ALTER COLUMN "{self.column}" SET STORAGE {storage}'
        )


def _table(app_label: str, model: str) -> str:
    """The name that Django gives it; to render the model for that would take longest of all."""
    return f"{app_label}_{model.lower()}"
