from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feeds', '0020_warc_imports'),
    ]

    operations = [
        migrations.AddField(
            model_name='publication',
            name='kind',
            field=models.CharField(choices=[('site', 'Newspaper'), ('collection', 'Collection')], default='site', max_length=10),
        ),
        migrations.AlterField(
            model_name='publication',
            name='home_url',
            field=models.URLField(help_text='Empty for a collection', max_length=2048),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['site', 'collection'])), name='publication_kind_known'),
        ),
    ]
