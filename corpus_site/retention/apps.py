"""Retention: policies, their passes, and the disk's days."""

from django.apps import AppConfig


class RetentionConfig(AppConfig):
    name = "corpus_site.retention"
    label = "retention"
    verbose_name = "Retention"
