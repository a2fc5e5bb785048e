"""An index of the few pages that are files on rights: publications have very many others."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0023_claims_of_an_attempt"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=Q(kind="rights"), fields=["publication"], name="page_of_rights"
            ),
        ),
    ]
