"""Django's admin as an app of this site: it brings our own admin site."""

from django.contrib.admin import apps


class BroadsheetAdminConfig(apps.AdminConfig):
    default_site = "corpus_site.admin_site.BroadsheetAdminSite"
