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


class _Storage(Operation):
    """Alters how the database keeps a model's table, of which models say nothing."""

    reduces_to_sql = True
    reversible = True
    model: str

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Models say nothing of it."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        schema_editor.execute(f"ALTER TABLE {_table(app_label, self.model)} {self.change()}")

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        schema_editor.execute(f"ALTER TABLE {_table(app_label, self.model)} {self.reset()}")

    def change(self) -> str:
        """What follows the table's name in SQL."""
        raise NotImplementedError

    def reset(self) -> str:
        """The same, back to what PostgreSQL does by itself."""
        raise NotImplementedError


class VacuumBySlices(_Storage):
    """Sets the storage parameters of a model's table; neither readers nor writers wait for it."""

    def __init__(self, model: str) -> None:
        self.model = model

    def change(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in OF_WHAT_GROWS.items())
        return f"SET ({values})"

    def reset(self) -> str:
        return f"RESET ({', '.join(OF_WHAT_GROWS)})"

    def describe(self) -> str:
        return f"Vacuum the table of {self.model} by slices"


class KeepInSlices(_Storage):
    """Large values of a column as they came, which are compressed already as a rule: the database
    then reads a part of one without the rest. Those of rows that are there stay as they are.
    """

    def __init__(self, model: str, column: str) -> None:
        self.model, self.column = model, column

    def change(self) -> str:
        return f'ALTER COLUMN "{self.column}" SET STORAGE EXTERNAL'

    def reset(self) -> str:
        return f'ALTER COLUMN "{self.column}" SET STORAGE EXTENDED'

    def describe(self) -> str:
        return f"Keep {self.column} of {self.model} in slices"


def _table(app_label: str, model: str) -> str:
    """The name that Django gives it; to render the model for that would take longest of all."""
    return f"{app_label}_{model.lower()}"
