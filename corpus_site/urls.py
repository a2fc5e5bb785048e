"""All addresses of the site (screens.md, section 2).

A page address always answers with a whole page; the fragments that htmx fetches lie under `/part/`.
"""

from django.contrib import admin
from django.urls import include, path

from corpus_site.pages import (
    home,
    home_words,
    rules,
    sources,
    stages,
    status,
    system,
    url_story,
    wizard,
)

admin.autodiscover()

urlpatterns = [
    path("", home.home, name="home"),
    path("part/words-today/", home_words.words_today_part, name="part-words-today"),
    path("part/just-in/", home.just_in_part, name="part-just-in"),
    path("sources/", sources.sources, name="sources"),
    path("sources/add/", wizard.add_source, name="source-add"),
    path("sources/<slug:slug>/", sources.source, name="source"),
    path("sources/<slug:slug>/rules/add/", rules.add_rule, name="rule-add"),
    path("sources/<slug:slug>/rules/<int:pk>/delete/", rules.delete_rule, name="rule-delete"),
    path("part/first-visit/<slug:slug>/", sources.first_visit_part, name="part-first-visit"),
    path("status/", status.status, name="status"),
    path("status/url/", url_story.url_story, name="status-url"),
    path("status/stages/<slug:name>/", stages.stage_rows, name="stage"),
    path("status/stages/<slug:name>/again/", stages.try_again, name="stage-retry"),
    path("part/status/", status.status_part, name="part-status"),
    path("healthz", system.health, name="healthz"),
    path("metrics", system.metrics, name="metrics"),
    path("", include("corpus_site.accounts.urls")),
    path("", include("feeds.urls")),
    path("", include("search.urls")),
    path("admin/", admin.site.urls),
]
