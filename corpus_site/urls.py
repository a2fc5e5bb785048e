"""All addresses of the site: pages that compose apps here, those of one app in its own `urls`.

A page address always answers with a whole page; the fragments that htmx fetches lie under `/part/`.
"""

from django.contrib import admin
from django.urls import include, path

from corpus_site.pages import (
    alarms,
    article_words,
    collections,
    comment_months,
    crawls,
    duplicate_changes,
    help_pages,
    home,
    home_words,
    jobs,
    parameters,
    report,
    retention,
    source_acts,
    sources,
    stages,
    status,
    system,
    taking_out,
    why_not,
    withdrawals,
    wizard,
    wizard_draft,
    wizard_samples,
)
from dedup.recurring import recurring_of
from extraction.views import rule_changes, rules

admin.autodiscover()

handler400 = "corpus_site.pages.refusals.bad_request"
handler500 = "corpus_site.pages.refusals.fault"

# The rule studio offers sentences that many texts share for removal; `dedup` knows them.
_SHARED_SENTENCES = {"recurring_of": recurring_of}
# What an act of the register is about; the same views serve all four.
_ARTICLE, _COMMENT = {"what": "article"}, {"what": "comment"}
_VERSION, _PUBLICATION = {"what": "version"}, {"what": "publication"}

urlpatterns = [
    path("", home.home, name="home"),
    path("part/words-today/", home_words.words_today_part, name="part-words-today"),
    path("part/just-in/", home.just_in_part, name="part-just-in"),
    path("collections/", collections.collections, name="collections"),
    path("collections/give/", collections.give, name="collection-give"),
    path("reference-lists/give/", collections.give_list, name="reference-list-give"),
    path(
        "reference-lists/<slug:slug>/remove/", collections.remove_list, name="reference-list-remove"
    ),
    path("collections/<slug:slug>/", collections.collection, name="collection"),
    path("part/collections/<slug:slug>/", collections.imports_part, name="part-collection"),
    path("collections/<slug:slug>/remove/", collections.remove, name="collection-remove"),
    path("collections/<slug:slug>/restore/", collections.restore, name="collection-restore"),
    path("sources/", sources.sources, name="sources"),
    path("sources/add/", wizard.add_source, name="source-add"),
    path("sources/add/<int:pk>/samples/", wizard_samples.samples, name="draft-samples"),
    path(
        "sources/add/<int:pk>/samples/change/", wizard_samples.change, name="draft-samples-change"
    ),
    path(
        "sources/add/<int:pk>/samples/<int:page>/",
        wizard_samples.sample_page,
        name="draft-sample-page",
    ),
    path("part/look-up/<int:pk>/", wizard.look_up_part, name="part-look-up"),
    path("part/draft-patterns/<int:pk>/", wizard_draft.patterns_part, name="part-draft-patterns"),
    path("sources/<slug:slug>/", sources.source, name="source"),
    path("sources/<slug:slug>/rules/", rules.studio, _SHARED_SENTENCES, name="rules"),
    path(
        "sources/<slug:slug>/rules/change/",
        rule_changes.change,
        _SHARED_SENTENCES,
        name="rules-change",
    ),
    path("part/first-visit/<slug:slug>/", sources.first_visit_part, name="part-first-visit"),
    path("sources/<slug:key>/withdraw/", taking_out.withdraw, _PUBLICATION, "source-withdraw"),
    path("sources/<slug:key>/put-back/", taking_out.put_back, _PUBLICATION, "source-put-back"),
    path("sources/<slug:key>/erase/", taking_out.erase, _PUBLICATION, "source-erase"),
    path("sources/<slug:key>/hold/", taking_out.hold, _PUBLICATION, "source-hold"),
    path("sources/<slug:key>/lift/", taking_out.lift, _PUBLICATION, "source-lift"),
    path("articles/<int:key>/withdraw/", taking_out.withdraw, _ARTICLE, "article-withdraw"),
    path("articles/<int:key>/put-back/", taking_out.put_back, _ARTICLE, "article-put-back"),
    path("articles/<int:key>/erase/", taking_out.erase, _ARTICLE, "article-erase"),
    path("articles/<int:key>/hold/", taking_out.hold, _ARTICLE, "article-hold"),
    path("articles/<int:key>/lift/", taking_out.lift, _ARTICLE, "article-lift"),
    path(
        "articles/<int:key>/versions/<int:number>/withdraw/",
        taking_out.withdraw,
        _VERSION,
        "version-withdraw",
    ),
    path(
        "articles/<int:key>/versions/<int:number>/put-back/",
        taking_out.put_back,
        _VERSION,
        "version-put-back",
    ),
    path("articles/selected/", taking_out.selected, name="articles-selected"),
    path("comments/<int:key>/withdraw/", taking_out.withdraw, _COMMENT, "comment-withdraw"),
    path("comments/<int:key>/put-back/", taking_out.put_back, _COMMENT, "comment-put-back"),
    path("comments/<int:key>/erase/", taking_out.erase, _COMMENT, "comment-erase"),
    path("withdrawals/", withdrawals.withdrawals, name="withdrawals"),
    path("sources-selected/", source_acts.selected, name="sources-selected"),
    path("sources/<slug:slug>/restore/", source_acts.restore, name="source-restore"),
    path("crawls/", crawls.crawls, name="crawls"),
    path("crawls/new/", crawls.new_crawl, name="crawl-new"),
    path("crawls/<int:pk>/", crawls.crawl, name="crawl"),
    path("crawls/<int:pk>/<slug:action>/", crawls.change_crawl, name="crawl-change"),
    path("part/crawl/<int:pk>/", crawls.crawl_part, name="part-crawl"),
    path(
        "articles/<int:article_id>/correct/",
        article_words.correct_article,
        name="article-correct",
    ),
    path("articles/<int:article_id>/take/", article_words.take_article, name="article-take"),
    path("comments/months/", comment_months.months, name="comment-months"),
    path("part/comments/months/", comment_months.months_part, name="part-comment-months"),
    path("duplicates/change/", duplicate_changes.change, name="duplicates-change"),
    path("status/retention/", retention.retention, name="retention"),
    path("status/retention/<name>/", retention.change_retention, name="retention-change"),
    path("settings/parameters/", parameters.parameters, name="parameters"),
    path("settings/parameters/<name>/", parameters.change, name="parameter-change"),
    path("status/", status.status, name="status"),
    path("status/jobs/", jobs.jobs, name="jobs"),
    path("status/jobs/change/", jobs.change_job, name="job-change"),
    path("part/jobs/", jobs.jobs_part, name="part-jobs"),
    path("part/retention/", retention.retention_part, name="part-retention"),
    path("status/alarms/", alarms.alarms, name="alarms"),
    path("status/alarms/<int:pk>/", alarms.change_alarm, name="alarm-change"),
    path("status/report/", report.report, name="status-report"),
    path("status/url/", why_not.why_not, name="status-url"),
    path("status/stages/<slug:name>/", stages.stage_rows, name="stage"),
    path("status/stages/<slug:name>/again/", stages.try_again, name="stage-retry"),
    path("part/status/", status.status_part, name="part-status"),
    path("help/", help_pages.first_search, name="help"),
    path("help/queries/", help_pages.queries, name="help-queries"),
    path("help/statistics/", help_pages.statistics, name="help-statistics"),
    path("help/texts/", help_pages.texts, name="help-texts"),
    path("help/editors/", help_pages.editors, name="help-editors"),
    path("help/admins/", help_pages.admins, name="help-admins"),
    path("help/messages/", help_pages.messages, name="help-messages"),
    path("help/words/", help_pages.words, name="help-words"),
    path("help/api/", help_pages.api, name="help-api"),
    path("api/", include("corpus_site.api.urls")),
    path("healthz", system.health, name="healthz"),
    path("metrics", system.metrics, name="metrics"),
    path("", include("corpus_site.accounts.urls")),
    path("", include("corpus_site.messaging.urls")),
    path("", include("feeds.urls")),
    path("", include("extraction.urls")),
    path("", include("dedup.urls")),
    path("", include("search.urls")),
    path("admin/", admin.site.urls),
]
