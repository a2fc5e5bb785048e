import django.db.models.deletion
from django.db import migrations, models

from feeds.migrating import AllowEmpty


class Migration(migrations.Migration):

    dependencies = [
        ('extraction', '0023_settled_templates'),
        ('feeds', '0021_collections'),
    ]

    operations = [
        AllowEmpty(
            model_name='article',
            name='page',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='article', to='feeds.page'),
        ),
        migrations.CreateModel(
            name='CollectedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('name', models.CharField(blank=True, default='', help_text='As its file names it', max_length=500)),
                ('file_name', models.CharField(blank=True, default='', max_length=500)),
                ('seen_in', models.PositiveBigIntegerField(default=0)),
                ('given_digest', models.CharField(blank=True, default='', max_length=64)),
                ('article', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='collected', to='extraction.article')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='collected_texts', to='feeds.publication')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('collection', 'key'), name='collected_text_once')],
            },
        ),
    ]
