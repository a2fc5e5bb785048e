"""Addresses of the comparisons of extractors, and of the parts of the rule studio.

The studio and its changes get what it shows from above handed in where the site is composed.
"""

from django.urls import path

from extraction.views import (
    article_months,
    article_nodes,
    compared_article,
    evaluation,
    rights,
    rules,
    source_files,
)

urlpatterns = [
    path("rights/", rights.rights_page, name="rights"),
    path("rights/policy/", rights.change_policy, name="rights-policy"),
    path("sources/<slug:slug>/months/", article_months.months, name="source-months"),
    path("sources/<slug:slug>/rules/page/<int:pk>/", rules.stored_page, name="rules-page"),
    path("part/rule-jobs/<slug:slug>/", rules.jobs_part, name="part-rule-jobs"),
    path("part/rule-proposals/<slug:slug>/", rules.proposals_part, name="part-rule-proposals"),
    path("part/rule-try/<slug:slug>/", rules.try_part, name="part-rule-try"),
    path("source-files/", source_files.files, name="source-files"),
    path("source-files/export/", source_files.export, name="sources-export"),
    path("source-files/starter/", source_files.starter, name="sources-starter"),
    path("source-files/<int:pk>/", source_files.imported, name="sources-import"),
    path("part/source-files/<int:pk>/", source_files.imported_part, name="part-sources-import"),
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
        "evaluation/articles/<int:pk>/elements/",
        article_nodes.article_nodes,
        name="evaluation-nodes",
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
]
