"""All addresses of the site (screens.md, section 2).

A page address always answers with a whole page; the fragments that htmx fetches lie under `/part/`.
"""

from django.contrib import admin
from django.urls import include, path

from corpus_site import views

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("corpus_site.accounts.urls")),
    path("admin/", admin.site.urls),
]
