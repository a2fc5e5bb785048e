"""Several accounts a publication, each for a host; their secrets are sealed."""

import django.db.models.deletion
from django.db import migrations, models

from feeds.secrets_at_rest import seal, unseal


def seal_all(apps, schema_editor):
    for account in apps.get_model("feeds", "Account").objects.all():
        account.sealed_secret = seal(account.secret)
        account.save(update_fields=["sealed_secret"])


def unseal_all(apps, schema_editor):
    for account in apps.get_model("feeds", "Account").objects.all():
        account.secret = unseal(account.sealed_secret)
        account.save(update_fields=["secret"])


class Migration(migrations.Migration):
    dependencies = [("feeds", "0010_living_corpus")]

    operations = [
        migrations.AlterModelOptions(
            name="account", options={"ordering": ["publication", "pk"]}
        ),
        migrations.AlterField(
            "account",
            "publication",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="accounts",
                to="feeds.publication",
            ),
        ),
        migrations.AddField(
            "account",
            "host",
            models.CharField(
                blank=True,
                default="",
                help_text="Only for this host and those below it; "
                "empty: all of the publication's site",
                max_length=253,
            ),
        ),
        migrations.AddField(
            "account",
            "sealed_secret",
            models.TextField(
                default="", editable=False, help_text="See feeds/secrets_at_rest.py"
            ),
            preserve_default=False,
        ),
        migrations.AlterField("account", "secret", models.CharField(default="", max_length=4000)),
        migrations.RunPython(seal_all, unseal_all),
        migrations.RemoveField("account", "secret"),
    ]
