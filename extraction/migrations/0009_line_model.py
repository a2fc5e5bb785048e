"""Call the extractor what everything else calls it: the line model."""

from django.db import migrations


def _rename(apps, old, new):
    articles = apps.get_model("extraction", "Article").objects
    articles.filter(extractor=old).update(extractor=new)


def forward(apps, schema_editor):
    _rename(apps, "block_model", "line_model")


def backward(apps, schema_editor):
    _rename(apps, "line_model", "block_model")


class Migration(migrations.Migration):
    dependencies = [("extraction", "0008_evaluation")]

    operations = [migrations.RunPython(forward, backward)]
