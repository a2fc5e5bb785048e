"""All tables as they are after the migrations it stands in for: a first start makes them at once."""

import django.db.models.deletion
import feeds.migrating
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('retention', '0001_policies_and_disk_days'), ('retention', '0002_claims_of_an_attempt')]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        feeds.migrating.CreateModels(
            models=[
                migrations.CreateModel(
                    name='DiskDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('machine', models.CharField(max_length=64)),
                        ('day', models.DateField()),
                        ('used_bytes', models.BigIntegerField()),
                        ('free_bytes', models.BigIntegerField()),
                        ('looked_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['machine', '-day'],
                        'constraints': [models.UniqueConstraint(fields=('machine', 'day'), name='diskday_once')],
                    },
                ),
                migrations.CreateModel(
                    name='RetentionChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=20)),
                        ('days', models.PositiveIntegerField(blank=True, help_text='Empty: kept for ever', null=True)),
                        ('made_at', models.DateTimeField()),
                        ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(fields=['kind', '-id'], name='retentionchange_newest')],
                    },
                ),
                migrations.CreateModel(
                    name='RetentionPass',
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
                        ('kind', models.CharField(max_length=20)),
                        ('days', models.PositiveIntegerField()),
                        ('is_dry', models.BooleanField(default=True)),
                        ('asked_at', models.DateTimeField()),
                        ('last_key', models.BigIntegerField(default=0)),
                        ('n_rows', models.BigIntegerField(default=0, help_text='In the table when the pass began')),
                        ('n_looked', models.BigIntegerField(default=0)),
                        ('n_found', models.BigIntegerField(default=0, help_text='That may go, or went')),
                        ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('n_claims', models.SmallIntegerField(editable=False, null=True)),
                    ],
                    options={
                        'verbose_name_plural': 'retention passes',
                        'ordering': ['-pk'],
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='retentionpass_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='retentionpass_held'), models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='retentionpass_quarantined'), models.Index(fields=['kind', '-id'], name='retentionpass_newest')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='retentionpass_lease_has_owner')],
                    },
                ),
            ],
        ),
    ]
