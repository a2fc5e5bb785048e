"""Addresses of the pages about duplicates; what changes them tells the index and stands above."""

from django.urls import path

from dedup.views import duplicate_limit, duplicates

urlpatterns = [
    path("duplicates/", duplicates.duplicates, name="duplicates"),
    path("duplicates/decisions/", duplicates.decisions, name="duplicates-decisions"),
    path("duplicates/limit/", duplicate_limit.duplicate_limit, name="duplicates-limit"),
    path("duplicates/limit/try/", duplicate_limit.try_limit, name="limit-try"),
    path("duplicates/limit/method/", duplicate_limit.use_method, name="method-use"),
    path("duplicates/limit/back/", duplicate_limit.take_back_limit, name="limit-back"),
    path("duplicates/limit/<int:pk>/", duplicate_limit.threshold_trial, name="threshold-trial"),
    path("duplicates/limit/<int:pk>/use/", duplicate_limit.use_limit, name="limit-use"),
    path(
        "part/threshold-trial/<int:pk>/",
        duplicate_limit.threshold_trial_part,
        name="part-threshold-trial",
    ),
]
