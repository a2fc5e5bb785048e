"""All tables as they are after the migrations it stands in for: a first start makes them at once."""

import django.db.models.deletion
import feeds.migrating
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('alarms', '0001_kept_alarms'), ('alarms', '0002_costs_of_alarms'), ('alarms', '0003_log_ins_and_archive'), ('alarms', '0004_proxies_and_stores'), ('alarms', '0005_late_copies_of_the_index'), ('alarms', '0006_drawn_by_scripts')]

    initial = True

    dependencies = [
        ('feeds', '0012_told_and_acted_on'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        feeds.migrating.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Alarm',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('disk', 'Disk'), ('archive', 'Archive'), ('store', 'Archive’s store'), ('index', 'Copies of the index'), ('worker', 'Workers'), ('quarantine', 'Put aside'), ('network', 'Network'), ('proxy', 'Proxy'), ('block', 'Refused'), ('robots', 'Forbidden by robots.txt'), ('log_in', 'Log-in refused'), ('slowed', 'Slowed for days'), ('down', 'Host failing'), ('unstored', 'Asked, nothing stored'), ('empty', 'Empty pages'), ('scripts', 'Drawn by scripts'), ('fewer', 'Fewer than usual'), ('missed', 'Missed items'), ('structure', 'Structure'), ('feed', 'Feed gone or failing'), ('quiet', 'Quiet')], max_length=10)),
                        ('key', models.CharField(max_length=400)),
                        ('tone', models.CharField(max_length=4)),
                        ('label', models.CharField(max_length=40)),
                        ('subject', models.CharField(max_length=500)),
                        ('sentence', models.TextField()),
                        ('address', models.CharField(max_length=600)),
                        ('action', models.CharField(max_length=60)),
                        ('opened_at', models.DateTimeField()),
                        ('seen_at', models.DateTimeField(help_text='When it was last found')),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                        ('snoozed_until', models.DateTimeField(blank=True, null=True)),
                        ('taken_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('articles_a_day', models.FloatField(default=0.0, help_text='What it costs while nobody acts')),
                        ('host', models.TextField(blank=True, default='')),
                        ('n_opened', models.PositiveIntegerField(default=1, help_text='How often it came back within an hour of its end')),
                        ('publication', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='feeds.publication')),
                        ('since', models.DateTimeField(blank=True, help_text='When its cause began; opened when it was first seen', null=True)),
                    ],
                    options={
                        'ordering': ['-opened_at', '-pk'],
                        'indexes': [models.Index(fields=['closed_at', '-opened_at'], name='alarm_closed')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('key',), name='alarm_one_open')],
                    },
                ),
                migrations.CreateModel(
                    name='AlarmNote',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('text', models.TextField()),
                        ('written_at', models.DateTimeField()),
                        ('alarm', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='alarms.alarm')),
                        ('written_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
            ],
        ),
    ]
