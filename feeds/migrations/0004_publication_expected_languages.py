"""Languages that a publication is expected in, as a prior of the language model."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0003_publication_time_zone"),
    ]

    operations = [
        migrations.AddField(
            model_name="publication",
            name="expected_languages",
            field=models.CharField(
                blank=True, default="", help_text="Codes with commas, such as en, af", max_length=60
            ),
        ),
    ]
