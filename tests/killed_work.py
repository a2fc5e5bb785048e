"""Work that is killed at its n-th statement, as a process is by SIGKILL: nothing may handle it."""

from collections.abc import Callable

from django.db import connection


class KilledError(BaseException):
    """Passes every handler of the work."""


class _Dying:
    def __init__(self, n_statements):
        self.n_left = n_statements

    def __call__(self, execute, sql, params, many, context):
        self.n_left -= 1
        if self.n_left < 0:
            raise KilledError
        return execute(sql, params, many, context)


def is_killed_at(n_statements: int, work: Callable[[], object]) -> bool:
    """Do the work until its n-th statement; whether it came that far before it was done.

    For tests with real transactions: inside a test's own, nothing would be rolled back.
    """
    try:
        with connection.execute_wrapper(_Dying(n_statements)):
            work()
    except KilledError:
        return True
    return False
