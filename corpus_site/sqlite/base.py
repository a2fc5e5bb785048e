"""The backend's classes under the names by which Django looks for them."""

from django.db.backends.sqlite3 import base, features


class DatabaseFeatures(features.DatabaseFeatures):
    """What this SQLite can do."""

    # SQLITE_MAX_VARIABLE_NUMBER since SQLite 3.32; Django 5.2 goes by the 999 of older ones, which
    # makes ten statements of an insert of a few hundred rows.
    max_query_params = 32_766


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection, as Django makes them."""

    features_class = DatabaseFeatures
