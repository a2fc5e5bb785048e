"""What simulated days have of the tests with tables: own folders, parameters of the settings."""

from integration.conftest import own_folders, parameters_of_the_settings

__all__ = ["own_folders", "parameters_of_the_settings"]
