"""When a publication was paused."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0007_proxies_and_accounts"),
    ]

    operations = [
        migrations.AddField(
            model_name="publication",
            name="paused_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
