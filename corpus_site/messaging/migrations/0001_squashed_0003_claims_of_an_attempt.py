"""All tables as they are after the migrations it stands in for: a first start makes them at once."""

import datetime
import django.db.models.deletion
import feeds.migrating
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('messaging', '0001_messages'), ('messaging', '0002_held_rows'), ('messaging', '0003_claims_of_an_attempt')]

    initial = True

    dependencies = [
        ('feeds', '0010_living_corpus'),
        ('search', '0008_leaving_texts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        feeds.migrating.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Channel',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('mail', 'E-mail'), ('webhook', 'Webhook'), ('feed', 'Atom feed'), ('chat', 'Chat or push service')], max_length=8)),
                        ('name', models.CharField(max_length=80)),
                        ('address', models.CharField(blank=True, default='', max_length=500)),
                        ('sealed', models.TextField(blank=True, default='', editable=False)),
                        ('key_digest', models.CharField(editable=False, max_length=64, null=True, unique=True)),
                        ('created_at', models.DateTimeField()),
                        ('confirmed_at', models.DateTimeField(blank=True, help_text='When whoever reads there has agreed', null=True)),
                        ('paused_at', models.DateTimeField(blank=True, null=True)),
                        ('failing_since', models.DateTimeField(blank=True, null=True)),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='channels', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['mail', 'webhook', 'feed', 'chat'])), name='channel_kind_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Habits',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('time_zone', models.CharField(max_length=40)),
                        ('quiet_from', models.TimeField(blank=True, null=True)),
                        ('quiet_until', models.TimeField(blank=True, null=True)),
                        ('daily_at', models.TimeField(default=datetime.time(7, 0))),
                        ('weekday', models.PositiveSmallIntegerField(default=0, help_text='0 is Monday')),
                        ('tests', models.JSONField(default=list, editable=False, help_text='Seconds since 1970 of the tests of the last day')),
                        ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='message_habits', to=settings.AUTH_USER_MODEL)),
                    ],
                ),
                migrations.CreateModel(
                    name='Message',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('key', models.CharField(max_length=100, unique=True)),
                        ('content', models.JSONField()),
                        ('made_at', models.DateTimeField()),
                        ('sent_at', models.DateTimeField(blank=True, null=True)),
                        ('given_up_at', models.DateTimeField(blank=True, null=True)),
                        ('tries', models.PositiveSmallIntegerField(default=0)),
                        ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='messaging.channel')),
                        ('subscription', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='messages', to='messaging.subscription')),
                        ('n_claims', models.SmallIntegerField(editable=False, null=True)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='message_quarantined'), models.Index(condition=models.Q(('given_up_at', None), ('sent_at', None)), fields=['subscription'], name='message_unsent'), models.Index(fields=['made_at'], name='message_made'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='message_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='message_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='message_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='Delivery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField()),
                        ('is_taken', models.BooleanField()),
                        ('code', models.PositiveSmallIntegerField(help_text='Of HTTP or SMTP', null=True)),
                        ('sentence', models.CharField(blank=True, default='', max_length=300)),
                        ('elapsed_ms', models.PositiveIntegerField(default=0)),
                        ('message', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='messaging.message')),
                    ],
                    options={
                        'verbose_name_plural': 'deliveries',
                        'ordering': ['-pk'],
                    },
                ),
                migrations.CreateModel(
                    name='Subscription',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('topic', models.CharField(choices=[('alarms', 'Alarms'), ('query', 'New hits of a saved query'), ('report', 'Report of the crawl')], max_length=6)),
                        ('pace', models.CharField(choices=[('once', 'At once'), ('daily', 'Once a day'), ('weekly', 'Once a week')], default='once', max_length=6)),
                        ('tells_opened', models.BooleanField(default=True)),
                        ('tells_closed', models.BooleanField(default=True)),
                        ('still_days', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('created_at', models.DateTimeField()),
                        ('paused_at', models.DateTimeField(blank=True, null=True)),
                        ('generation', models.PositiveBigIntegerField(default=0)),
                        ('looked_at', models.DateTimeField(blank=True, null=True)),
                        ('next_at', models.DateTimeField()),
                        ('last_made_at', models.DateTimeField(blank=True, null=True)),
                        ('gap', models.PositiveSmallIntegerField(default=0)),
                        ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to='messaging.channel')),
                        ('publications', models.ManyToManyField(blank=True, related_name='+', to='feeds.publication')),
                        ('query', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to='search.savedquery')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['topic', 'next_at'], name='subscription_next')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('topic__in', ['alarms', 'query', 'report'])), name='sub_topic_known'), models.CheckConstraint(condition=models.Q(('pace__in', ['once', 'daily', 'weekly'])), name='sub_pace_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Notice',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=100)),
                        ('at', models.DateTimeField()),
                        ('content', models.JSONField()),
                        ('told_at', models.DateTimeField(null=True)),
                        ('message', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='notices', to='messaging.message')),
                        ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='messaging.subscription')),
                    ],
                    options={
                        'ordering': ['at', 'pk'],
                        'indexes': [models.Index(condition=models.Q(('told_at', None)), fields=['subscription', 'at'], name='notice_untold'), models.Index(fields=['at'], name='notice_at')],
                        'constraints': [models.UniqueConstraint(fields=('subscription', 'key'), name='notice_once')],
                    },
                ),
            ],
        ),
    ]
