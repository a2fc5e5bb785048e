import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feeds', '0021_collections'),
        ('search', '0013_index_follower'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='TextImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('last_error', models.TextField(blank=True, default='', editable=False)),
                ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('path', models.CharField(max_length=1000)),
                ('file_name', models.CharField(help_text='As whoever gave it calls it', max_length=300)),
                ('is_upload', models.BooleanField(default=False, help_text='Deleted when all of it was read')),
                ('n_bytes', models.PositiveBigIntegerField(default=0)),
                ('language', models.CharField(blank=True, default='', max_length=12)),
                ('encoding', models.CharField(blank=True, default='', max_length=20)),
                ('columns', models.CharField(blank=True, default='', help_text='field=column with commas', max_length=1000)),
                ('n_all_files', models.PositiveIntegerField(blank=True, null=True)),
                ('n_files', models.PositiveIntegerField(default=0)),
                ('n_passed', models.PositiveBigIntegerField(default=0, help_text='Texts and faults of this file')),
                ('understood', models.JSONField(blank=True, default=dict, help_text='Column to field, or to none')),
                ('counts', models.JSONField(blank=True, default=dict)),
                ('problems', models.JSONField(blank=True, default=list, help_text='[file, line, words] each')),
                ('handed_on', models.JSONField(blank=True, default=list, editable=False)),
                ('worked_seconds', models.FloatField(default=0)),
                ('began_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField()),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='feeds.publication')),
            ],
            options={
                'ordering': ['-pk'],
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='textimport_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='textimport_held'), models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='textimport_quarantined')],
                'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='textimport_lease_has_owner')],
            },
        ),
    ]
