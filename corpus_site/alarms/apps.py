"""Alarms: kept, put to sleep, taken on, with notes."""

from django.apps import AppConfig


class AlarmsConfig(AppConfig):
    name = "corpus_site.alarms"
    label = "alarms"
    verbose_name = "Alarms"
