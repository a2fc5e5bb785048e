from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('extraction', '0022_kept_on'),
        ('feeds', '0020_warc_imports'),
    ]

    operations = [
        migrations.AddField(
            model_name='sitetemplate',
            name='is_settled',
            field=models.BooleanField(default=False, help_text='Its pages were looked at with all that is known'),
        ),
        migrations.AddIndex(
            model_name='sitetemplate',
            index=models.Index(condition=models.Q(('is_settled', False)), fields=['updated_at'], name='sitetemplate_unsettled'),
        ),
    ]
