"""What a role may do, as Django permissions.

`permission_required` of the apps' views, `perms` in templates and Django's own admin all ask this
backend, so no app needs to know the site's roles. An admin may do everything.
"""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from corpus_site.accounts.models import Role, User

_ACTIONS = ("add", "change", "delete", "view")

# Tables whose rows a role may change on our own pages: app label and model name.
LINGUIST_TABLES = (
    "search.savedquery",
    "search.subcorpus",
    "search.wordlist",
    "search.macro",
    "search.tagcorrection",
    "search.marking",
)
EDITOR_TABLES = (
    *LINGUIST_TABLES,
    "alarms.alarmnote",
    "feeds.publication",
    "feeds.account",
    "feeds.feed",
    "feeds.page",
    "feeds.host",
    "feeds.crawl",
    "feeds.sourcedraft",
    "feeds.rightssetting",
    "extraction.siterule",
    "extraction.sourceimport",
    "extraction.extraction",
    "extraction.articlecorrection",
    "extraction.extractorsetting",
    "extraction.referencetext",
    "extraction.evaluationrun",
    "extraction.withdrawal",
    "dedup.detection",
    "dedup.duplicate",
    "search.indexedarticle",
    "search.indexedcomment",
    "search.lexiconentry",
    "search.ignoredword",
    "search.sketchgrammar",
    "search.referencelist",
)


def _permissions(tables: tuple[str, ...]) -> frozenset[str]:
    pairs = (table.split(".") for table in tables)
    return frozenset(f"{app}.{action}_{model}" for app, model in pairs for action in _ACTIONS)


PERMISSIONS = {
    Role.LINGUIST: _permissions(LINGUIST_TABLES),
    Role.EDITOR: _permissions(EDITOR_TABLES),
}


class RoleBackend(ModelBackend):
    """Signs in by name and password; permissions come from `User.role`."""

    def has_perm(self, user_obj: User | AnonymousUser, perm: str, obj: Model | None = None) -> bool:
        if not isinstance(user_obj, User) or not user_obj.is_active:
            return False
        if user_obj.is_admin:
            return True
        return obj is None and perm in PERMISSIONS[Role(user_obj.role)]

    def has_module_perms(self, user_obj: User | AnonymousUser, app_label: str) -> bool:
        if not isinstance(user_obj, User) or not user_obj.is_active:
            return False
        prefix = f"{app_label}."
        return user_obj.is_admin or any(
            permission.startswith(prefix) for permission in PERMISSIONS[Role(user_obj.role)]
        )

    def get_all_permissions(self, user_obj: Any, obj: Model | None = None) -> set[str]:
        if not isinstance(user_obj, User) or not user_obj.is_active or obj is not None:
            return set()
        if user_obj.is_admin:
            return set(super().get_all_permissions(user_obj))
        return set(PERMISSIONS[Role(user_obj.role)])
