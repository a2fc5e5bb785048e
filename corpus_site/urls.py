"""All addresses of the site (screens.md, section 2).

A page address always answers with a whole page; the fragments that htmx fetches lie under `/part/`.
"""

from django.contrib import admin
from django.urls import include, path

from corpus_site.pages import (
    alarms,
    compared_article,
    crawls,
    duplicate_changes,
    duplicate_limit,
    duplicates,
    evaluation,
    help_pages,
    home,
    home_words,
    jobs,
    plan,
    report,
    rule_changes,
    rules,
    sources,
    stages,
    status,
    system,
    url_story,
    wizard,
)

admin.autodiscover()

handler400 = "corpus_site.pages.refusals.bad_request"
handler500 = "corpus_site.pages.refusals.fault"

urlpatterns = [
    path("", home.home, name="home"),
    path("part/words-today/", home_words.words_today_part, name="part-words-today"),
    path("part/just-in/", home.just_in_part, name="part-just-in"),
    path("sources/", sources.sources, name="sources"),
    path("sources/add/", wizard.add_source, name="source-add"),
    path("sources/<slug:slug>/", sources.source, name="source"),
    path("sources/<slug:slug>/rules/", rules.studio, name="rules"),
    path("sources/<slug:slug>/rules/change/", rule_changes.change, name="rules-change"),
    path("sources/<slug:slug>/rules/page/<int:pk>/", rules.stored_page, name="rules-page"),
    path("part/rule-jobs/<slug:slug>/", rules.jobs_part, name="part-rule-jobs"),
    path("part/rule-proposals/<slug:slug>/", rules.proposals_part, name="part-rule-proposals"),
    path("part/first-visit/<slug:slug>/", sources.first_visit_part, name="part-first-visit"),
    path("evaluation/", evaluation.evaluation, name="evaluation"),
    path("evaluation/ask/", evaluation.ask_for_run, name="evaluation-ask"),
    path("evaluation/<int:pk>/", evaluation.evaluation_run, name="evaluation-run"),
    path("part/evaluation/<int:pk>/", evaluation.evaluation_run_part, name="part-evaluation-run"),
    path(
        "evaluation/articles/<int:pk>/",
        compared_article.compared_article,
        name="evaluation-article",
    ),
    path(
        "evaluation/articles/<int:pk>/text/",
        compared_article.confirm_text,
        name="evaluation-confirm",
    ),
    path(
        "evaluation/articles/<int:pk>/extractor/",
        compared_article.use_extractor,
        name="evaluation-use",
    ),
    path("crawls/", crawls.crawls, name="crawls"),
    path("crawls/new/", crawls.new_crawl, name="crawl-new"),
    path("crawls/<int:pk>/", crawls.crawl, name="crawl"),
    path("crawls/<int:pk>/<slug:action>/", crawls.change_crawl, name="crawl-change"),
    path("part/crawl/<int:pk>/", crawls.crawl_part, name="part-crawl"),
    path("duplicates/", duplicates.duplicates, name="duplicates"),
    path("duplicates/change/", duplicate_changes.change, name="duplicates-change"),
    path("duplicates/decisions/", duplicates.decisions, name="duplicates-decisions"),
    path("duplicates/limit/", duplicate_limit.duplicate_limit, name="duplicates-limit"),
    path("duplicates/limit/try/", duplicate_limit.try_limit, name="limit-try"),
    path("duplicates/limit/back/", duplicate_limit.take_back_limit, name="limit-back"),
    path("duplicates/limit/<int:pk>/", duplicate_limit.threshold_trial, name="threshold-trial"),
    path("duplicates/limit/<int:pk>/use/", duplicate_limit.use_limit, name="limit-use"),
    path(
        "part/threshold-trial/<int:pk>/",
        duplicate_limit.threshold_trial_part,
        name="part-threshold-trial",
    ),
    path("status/", status.status, name="status"),
    path("status/jobs/", jobs.jobs, name="jobs"),
    path("status/jobs/change/", jobs.change_job, name="job-change"),
    path("part/jobs/", jobs.jobs_part, name="part-jobs"),
    path("status/plan/", plan.plan, name="plan"),
    path("status/alarms/", alarms.alarms, name="alarms"),
    path("status/alarms/<int:pk>/", alarms.change_alarm, name="alarm-change"),
    path("status/report/", report.report, name="status-report"),
    path("status/url/", url_story.url_story, name="status-url"),
    path("status/stages/<slug:name>/", stages.stage_rows, name="stage"),
    path("status/stages/<slug:name>/again/", stages.try_again, name="stage-retry"),
    path("part/status/", status.status_part, name="part-status"),
    path("help/", help_pages.first_search, name="help"),
    path("help/queries/", help_pages.queries, name="help-queries"),
    path("help/statistics/", help_pages.statistics, name="help-statistics"),
    path("help/editors/", help_pages.editors, name="help-editors"),
    path("help/admins/", help_pages.admins, name="help-admins"),
    path("help/words/", help_pages.words, name="help-words"),
    path("help/api/", help_pages.api, name="help-api"),
    path("api/", include("corpus_site.api.urls")),
    path("healthz", system.health, name="healthz"),
    path("metrics", system.metrics, name="metrics"),
    path("", include("corpus_site.accounts.urls")),
    path("", include("feeds.urls")),
    path("", include("search.urls")),
    path("admin/", admin.site.urls),
]
