"""Pages whose record cannot be read wait; those that were taken for unarchived are read again."""

from django.db import migrations, models
from django.utils import timezone


def read_again(apps, _):
    rows = apps.get_model("extraction", "Extraction").objects.filter(outcome="not_archived")
    archived = rows.exclude(page__content_fetch=None).exclude(page__content_fetch__archive_file="")
    archived.update(due_at=timezone.now(), done_digest="")


class Migration(migrations.Migration):

    dependencies = [
        ('extraction', "0016_fields_of_reread_pages"),
        ('feeds', '0012_told_and_acted_on'),
    ]

    operations = [
        migrations.AddField(
            model_name='extraction',
            name='unread_since',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name='extraction',
            index=models.Index(condition=models.Q(('unread_since__isnull', False)), fields=['unread_since'], name='extraction_unread'),
        ),
        migrations.RunPython(read_again, migrations.RunPython.noop),
    ]
