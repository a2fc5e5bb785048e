"""Django's admin as an app of this site: it brings our own admin site."""

from django.contrib.admin import apps


class BroadsheetAdminConfig(apps.SimpleAdminConfig):
    """Without autodiscovery, which `urls.py` does: workers need no forms (20 MB each)."""

    default_site = "corpus_site.admin_site.BroadsheetAdminSite"
