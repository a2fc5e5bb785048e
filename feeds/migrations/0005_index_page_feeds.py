"""Index pages are polled like feeds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0004_publication_expected_languages"),
    ]

    operations = [
        migrations.AlterField(
            model_name="feed",
            name="kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "Not read yet"),
                    ("rss", "RSS"),
                    ("atom", "Atom"),
                    ("json", "JSON Feed"),
                    ("sitemap", "Sitemap"),
                    ("index", "Index page"),
                ],
                default="",
                max_length=7,
            ),
        ),
    ]
