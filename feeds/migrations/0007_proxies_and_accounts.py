"""Proxies, accounts, and the log of what is done about refusals."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0006_crawls"),
    ]

    operations = [
        migrations.CreateModel(
            name="Proxy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, unique=True)),
                (
                    "url",
                    models.CharField(
                        help_text="http://host:port/, without a password", max_length=500
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
            ],
            options={
                "verbose_name_plural": "proxies",
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="publication",
            name="allow_proxy",
            field=models.BooleanField(
                default=False, help_text="After a block, ask through a proxy of the pool"
            ),
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("basic", "User name and password (HTTP Basic)"),
                            ("cookie", "Cookie of a signed-in browser"),
                        ],
                        max_length=6,
                    ),
                ),
                ("user_name", models.CharField(blank=True, default="", max_length=200)),
                ("secret", models.CharField(max_length=4000)),
                ("is_active", models.BooleanField(default=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "publication",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account",
                        to="feeds.publication",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="host",
            name="proxy",
            field=models.ForeignKey(
                blank=True,
                help_text="Used where the publication permits it",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="hosts",
                to="feeds.proxy",
            ),
        ),
        migrations.CreateModel(
            name="HostDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("sign", models.CharField(max_length=200)),
                (
                    "choice",
                    models.CharField(
                        choices=[
                            ("wait", "Wait"),
                            ("browser", "Ask as a browser"),
                            ("proxy", "Change the proxy"),
                            ("go_on", "Go on as before"),
                        ],
                        max_length=7,
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="feeds.host",
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["host", "-at"], name="hostdecision_host_at")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("choice__in", ["wait", "browser", "proxy", "go_on"])),
                        name="hostdecision_choice_known",
                    )
                ],
            },
        ),
    ]
