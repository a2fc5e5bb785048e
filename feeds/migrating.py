"""Operations of migrations: all tables at once, columns that may be empty, large tables.

Django renders every related model anew after each operation; with a hundred tables that takes most
of the time of a first start. One operation that knows all tables has them rendered once.
"""

import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.management.color import no_style
from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.fields import AlterField
from django.db.migrations.operations.models import CreateModel
from django.db.migrations.operations.special import SeparateDatabaseAndState
from django.db.migrations.state import ModelState, ProjectState

# Half a second of PostgreSQL's; what is lost when one is ended.
ROWS_A_BATCH = 50_000
SECONDS_BETWEEN_WORDS = 5
logger = logging.getLogger(__name__)


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


class CopyInBatches(SeparateDatabaseAndState):
    """Give a large table another shape by writing its rows once, in batches that outlast a kill.

    The table makes way under another name, without its indexes; its successor gets the rows in the
    order of their keys, a batch a transaction, and last its indexes, as the former table goes. Who
    is ended in the middle goes on behind the last row that is there. For tables to which none
    refers, in migrations that are not atomic. The way back is one transaction, by the operations
    that stand for all this.

    Parameters
    ----------
    model_name
        Of the table, before and after.
    operations
        What Django would do instead.
    values
        SQL of columns that the former table does not have, over its columns; asked with the editor
        whose connection runs it.
    """

    atomic = False

    def __init__(
        self,
        model_name: str,
        operations: Sequence[Operation],
        values: Callable[[BaseDatabaseSchemaEditor], Mapping[str, str]],
    ) -> None:
        super().__init__(database_operations=operations, state_operations=operations)
        self.model_name = model_name
        self.values = values

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        model: Any = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        connection, table = schema_editor.connection, model._meta.db_table
        former = f"{table}_former"
        with connection.cursor() as cursor:
            is_begun = former in connection.introspection.table_names(cursor)
            found = connection.introspection.get_table_description(cursor, table)
        if not is_begun and {one.name for one in found} == _columns(model):
            return  # all was done, but for the word that it was
        create, *finish = _statements(schema_editor, model)
        if not is_begun:
            before: Any = from_state.apps.get_model(app_label, self.model_name)
            with transaction.atomic(connection.alias):
                _make_way(schema_editor, before, former)
                schema_editor.execute(create)
        _copy_rows(schema_editor, model, former, self.values(schema_editor))
        finish += connection.ops.sequence_reset_sql(no_style(), [model])
        with transaction.atomic(connection.alias):
            for sql in [f"DROP TABLE {schema_editor.quote_name(former)}", *finish]:
                schema_editor.execute(sql)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        with transaction.atomic(schema_editor.connection.alias):
            super().database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Write the table of {self.model_name} anew, in batches"


def _columns(model: Any) -> set[str]:
    return {field.column for field in model._meta.local_concrete_fields}


def _make_way(editor: BaseDatabaseSchemaEditor, model: Any, former: str) -> None:
    """Rename a table, and take from it the names that its successor will have."""
    connection, table, quoted = editor.connection, model._meta.db_table, editor.quote_name
    editor.alter_db_table(model, table, former)
    with connection.cursor() as cursor:
        named = connection.introspection.get_constraints(cursor, former)
        sequences = connection.introspection.get_sequences(cursor, former)
    for name, one in named.items():
        if one["index"]:
            editor.execute(f"DROP INDEX {quoted(name)}")
        elif connection.vendor == "sqlite":
            pass  # all other names are the table's own
        elif one["primary_key"]:
            editor.execute(f"ALTER INDEX {quoted(name)} RENAME TO {quoted(former + '_pkey')}")
        elif one["unique"]:
            editor.execute(f"ALTER TABLE {quoted(former)} DROP CONSTRAINT {quoted(name)}")
    for sequence in sequences if connection.vendor == "postgresql" else ():
        renamed = quoted(former + "_id_seq")
        editor.execute(f"ALTER SEQUENCE {quoted(sequence['name'])} RENAME TO {renamed}")


def _statements(editor: BaseDatabaseSchemaEditor, model: Any) -> list[str]:
    """Give what creates a table and what then creates its indexes and references, and run none."""
    collecting: Any = editor.connection.SchemaEditorClass(editor.connection, collect_sql=True)
    collecting.deferred_sql = []  # as by its `with`, which would switch off SQLite's checks
    collecting.create_model(model)
    return [*collecting.collected_sql, *map(str, collecting.deferred_sql)]


def _copy_rows(
    editor: BaseDatabaseSchemaEditor, model: Any, former: str, values: Mapping[str, str]
) -> None:
    connection, table = editor.connection, model._meta.db_table
    columns = {column: editor.quote_name(column) for column in sorted(_columns(model))}
    key = columns[model._meta.pk.column]
    copy = (
        f"INSERT INTO {editor.quote_name(table)} ({', '.join(columns.values())})"  # noqa: S608 (our words)
        f" SELECT {', '.join(values.get(name, quoted) for name, quoted in columns.items())}"
        f" FROM {editor.quote_name(former)} WHERE {key} > %s ORDER BY {key} LIMIT {ROWS_A_BATCH}"
    )
    said_at = time.monotonic()
    with connection.cursor() as cursor:
        n_rows, n_all = (_n_rows(editor, name) for name in (table, former))
        while True:
            cursor.execute(f"SELECT max({key}) FROM {editor.quote_name(table)}")  # noqa: S608
            (last,) = cursor.fetchone()
            cursor.execute(copy, [-1 if last is None else last])
            if cursor.rowcount < 1:
                return
            n_rows += cursor.rowcount
            if time.monotonic() > said_at + SECONDS_BETWEEN_WORDS:
                said_at = time.monotonic()
                logger.info(
                    "%s: %s of %s rows are written anew", table, f"{n_rows:,}", f"{n_all:,}"
                )


def _n_rows(editor: BaseDatabaseSchemaEditor, table: str) -> int:
    with editor.connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {editor.quote_name(table)}")  # noqa: S608 (our words)
        return int(cursor.fetchone()[0])
