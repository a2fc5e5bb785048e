"""Operations of migrations: all tables at once, columns that may be empty, indexes that go.

Django renders every related model anew after each operation; with a hundred tables that takes most
of the time of a first start. One operation that knows all tables has them rendered once.
"""

import re
from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.fields import AlterField
from django.db.migrations.operations.models import CreateModel
from django.db.migrations.state import ModelState, ProjectState


class CreateModels(Operation):
    """Create several tables that may refer to each other.

    Parameters
    ----------
    models
        Each as an operation of its own would create it, with its indexes and constraints among its
        options.
    """

    serialization_expand_args = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = list(models)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        for model in self.models:
            state.models[app_label, model.name_lower] = ModelState(
                app_label,
                model.name,
                list(model.fields),
                dict(model.options),
                tuple(model.bases or ()),
                list(model.managers or ()),
            )
        if "apps" in state.__dict__:  # rendered already, as a cached property
            state.reload_models([(app_label, model.name_lower) for model in self.models])

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 (Django's signature)
        to_state: ProjectState,
    ) -> None:
        for model in self.models:
            created: Any = to_state.apps.get_model(app_label, model.name)
            if self.allow_migrate_model(schema_editor.connection.alias, created):
                schema_editor.create_model(created)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002 (Django's signature)
    ) -> None:
        for model in reversed(self.models):
            created: Any = from_state.apps.get_model(app_label, model.name)
            if self.allow_migrate_model(schema_editor.connection.alias, created):
                schema_editor.delete_model(created)

    def describe(self) -> str:
        return f"Create {len(self.models)} tables"


class AllowEmpty(AlterField):
    """Let a column of a large table be empty, without writing its rows.

    PostgreSQL drops the constraint. Django would copy the table on SQLite; here the words of the
    column lose their "NOT NULL" in the schema, which SQLite's documentation of ALTER TABLE
    (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes") names as safe.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model: Any = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            column = model._meta.get_field(self.name).column
            _drop_not_null(schema_editor, model._meta.db_table, column)


def _drop_not_null(schema_editor: BaseDatabaseSchemaEditor, table: str, column: str) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [table])
        (words,) = cursor.fetchone()
        declared = re.search(rf'"{re.escape(column)}" [^,]*?( NOT NULL)', words)
        if declared is None:
            return
        changed = words[: declared.start(1)] + words[declared.end(1) :]
        cursor.execute("PRAGMA schema_version")
        (version,) = cursor.fetchone()
        cursor.execute("PRAGMA writable_schema = ON")
        cursor.execute(
            "UPDATE sqlite_master SET sql = %s WHERE type = 'table' AND name = %s",
            [changed, table],
        )
        cursor.execute(f"PRAGMA schema_version = {version + 1}")
        cursor.execute("PRAGMA writable_schema = OFF")


class DropColumnIndex(AlterField):
    """Drop the index of a foreign key in a large table, without writing its rows.

    PostgreSQL does so by itself; Django would copy the table on SQLite.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        connection = schema_editor.connection
        if connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model: Any = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(connection.alias, model):
            return
        column = model._meta.get_field(self.name).column
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, model._meta.db_table)
        declared = {one.name for one in model._meta.indexes}
        for name, one in found.items():
            if one["index"] and one["columns"] == [column] and name not in declared:
                schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        super().database_forwards(app_label, schema_editor, from_state, to_state)
