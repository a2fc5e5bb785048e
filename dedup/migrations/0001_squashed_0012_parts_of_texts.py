"""All tables as they are after the migrations it stands in for: a first start makes them at once."""

import django.db.models.deletion
import feeds.migrating
from django.conf import settings
from django.db import migrations, models


# As small and as quick as each database allows; `dedup.stage.fingerprints` reads and writes by hand.
FINGERPRINTS = {
    "postgresql": (
        "CREATE TABLE dedup_fingerprint (hash bigint NOT NULL, article bigint NOT NULL)",
        "CREATE INDEX fingerprint_holders ON dedup_fingerprint (hash) INCLUDE (article)",
    ),
    "sqlite": (
        "CREATE TABLE dedup_fingerprint (hash integer NOT NULL, article integer NOT NULL,"
        " PRIMARY KEY (hash, article)) WITHOUT ROWID",
    ),
}


def make_fingerprints(apps, schema_editor):
    for statement in FINGERPRINTS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop_fingerprints(apps, schema_editor):
    schema_editor.execute("DROP TABLE dedup_fingerprint")


class Migration(migrations.Migration):

    replaces = [('dedup', '0001_initial'), ('dedup', '0002_near_duplicates'), ('dedup', '0003_detect_again'), ('dedup', '0004_threshold_trials'), ('dedup', '0005_story_passes'), ('dedup', '0006_entered_texts'), ('dedup', '0007_hidden_copies'), ('dedup', '0008_read_reports_again'), ('dedup', '0009_rescheduled_work'), ('dedup', '0010_held_rows'), ('dedup', '0011_claims_of_an_attempt'), ('dedup', '0012_parts_of_texts')]

    initial = True

    dependencies = [
        ('extraction', '0018_held_rows'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        feeds.migrating.CreateModels(
            models=[
                migrations.CreateModel(
                    name='StoryCluster',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('created_at', models.DateTimeField()),
                        ('first', models.ForeignKey(help_text='Earliest article', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='extraction.article')),
                        ('continued_in', models.ForeignKey(blank=True, help_text='The story that took this one up; its address leads there', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='taken_up', to='dedup.storycluster')),
                    ],
                ),
                migrations.CreateModel(
                    name='Duplicate',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('relation', models.CharField(choices=[('repost', 'Same text'), ('trimmed', 'Trimmed'), ('update', 'Update'), ('near', 'Near-duplicate'), ('part', 'Part'), ('similar', 'Similar')], max_length=9)),
                        ('similarity', models.FloatField(help_text='Shared over all distinct sentences or shingles, 0 to 1; orders the pairs')),
                        ('n_shared', models.PositiveIntegerField(help_text='Sentences that both texts hold')),
                        ('verdict', models.CharField(choices=[('open', 'Not looked at'), ('same', 'Same text'), ('event', 'Same event'), ('different', 'Different')], default='open', max_length=9)),
                        ('detected_at', models.DateTimeField()),
                        ('article', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='twins_before', to='extraction.article')),
                        ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='twins_after', to='extraction.article')),
                        ('closeness', models.FloatField(blank=True, help_text='From the limit in force (1 unless changed) on: one text', null=True)),
                        ('containment', models.FloatField(blank=True, help_text='Shared weight over that of the smaller text, 0 to 1', null=True)),
                        ('is_later_master', models.BooleanField(default=False, help_text='Whether the later text is the one to read')),
                        ('jaccard', models.FloatField(blank=True, help_text='Shared weight over that of both texts, 0 to 1', null=True)),
                        ('joins', models.BooleanField(default=False, help_text='Whether the method puts the two into one cluster by this pair')),
                    ],
                    options={
                        'ordering': ['-detected_at'],
                        'constraints': [models.UniqueConstraint(fields=('article', 'other'), name='duplicate_once'), models.CheckConstraint(condition=models.Q(('article', models.F('other')), _negated=True), name='duplicate_of_another'), models.CheckConstraint(condition=models.Q(('similarity__gte', 0), ('similarity__lte', 1)), name='duplicate_similarity_is_a_share')],
                        'indexes': [models.Index(condition=models.Q(('verdict', 'open'), _negated=True), fields=['verdict'], name='duplicate_judged')],
                    },
                ),
                migrations.CreateModel(
                    name='SentenceHash',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('hash', models.BigIntegerField()),
                        ('position', models.PositiveIntegerField(help_text='Number of the sentence in the text')),
                        ('article', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='extraction.article')),
                    ],
                    options={
                        'verbose_name_plural': 'sentence hashes',
                        'indexes': [models.Index(fields=['hash', 'article'], name='sentencehash_candidates')],
                        'constraints': [models.UniqueConstraint(fields=('article', 'hash'), name='sentencehash_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Detection',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('done_digest', models.CharField(blank=True, default='', max_length=64)),
                        ('n_sentences', models.PositiveIntegerField(default=0)),
                        ('detected_at', models.DateTimeField(blank=True, null=True)),
                        ('article', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='detection', to='extraction.article')),
                        ('original', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copies', to='extraction.article')),
                        ('story', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='detections', to='dedup.storycluster')),
                        ('representative', models.ForeignKey(blank=True, help_text='The text it was compared with and joined to; itself when it had none', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='represented', to='extraction.article')),
                        ('is_hidden', models.BooleanField(default=False, help_text='Whether an editor has hidden it; without effect while it is no copy')),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                        ('n_claims', models.SmallIntegerField(editable=False, null=True)),
                    ],
                    options={
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='detection_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='detection_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='detection_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='detection_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='Decision',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('judge', 'Judged pairs'), ('split', 'Split from its cluster'), ('join', 'Joined two texts'), ('original', 'Made the original'), ('hide', 'Hid a copy')], max_length=8)),
                        ('verdict', models.CharField(blank=True, choices=[('open', 'Not looked at'), ('same', 'Same text'), ('event', 'Same event'), ('different', 'Different')], default='', max_length=9)),
                        ('decided_at', models.DateTimeField()),
                        ('undone_at', models.DateTimeField(blank=True, null=True)),
                        ('article', models.ForeignKey(blank=True, help_text='The text that was split off, joined, hidden or made the original', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='extraction.article')),
                        ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-pk'],
                    },
                ),
                migrations.CreateModel(
                    name='DetectionMethod',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('method', models.CharField(max_length=9)),
                        ('limit', models.FloatField(default=1.0, help_text='Closeness from which two texts are one')),
                        ('since', models.DateTimeField()),
                        ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('limit__gt', 0)), name='detectionmethod_limit_positive')],
                    },
                ),
                migrations.CreateModel(
                    name='Judgement',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('verdict', models.CharField(choices=[('open', 'Not looked at'), ('same', 'Same text'), ('event', 'Same event'), ('different', 'Different')], max_length=9)),
                        ('made_pair', models.BooleanField(default=False, help_text='Whether no method had found this pair before')),
                        ('article', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='extraction.article')),
                        ('decision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='dedup.decision')),
                        ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='extraction.article')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('decision', 'article', 'other'), name='judgement_once_a_decision'), models.CheckConstraint(condition=models.Q(('article', models.F('other')), _negated=True), name='judgement_of_two_articles')],
                    },
                ),
                migrations.CreateModel(
                    name='ThresholdTrial',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('limit', models.FloatField(help_text='Closeness from which two texts would be one')),
                        ('limit_before', models.FloatField(help_text='The limit in force when the trial was asked for')),
                        ('method', models.CharField(max_length=9)),
                        ('asked_at', models.DateTimeField()),
                        ('n_articles', models.PositiveIntegerField()),
                        ('n_done', models.PositiveIntegerField(default=0)),
                        ('last_article', models.PositiveBigIntegerField(default=0, help_text='Articles up to this one are done')),
                        ('counts', models.JSONField(default=dict, help_text='Report: what was counted, by name')),
                        ('joined', models.JSONField(default=list, help_text='Pairs it would join, most doubtful first')),
                        ('parted', models.JSONField(default=list, help_text='Pairs it would part, most doubtful first')),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('used_at', models.DateTimeField(blank=True, help_text='Since when it is in force', null=True)),
                        ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                        ('n_claims', models.SmallIntegerField(editable=False, null=True)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='thresholdtrial_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='thresholdtrial_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='thresholdtrial_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='thresholdtrial_lease_has_owner'), models.CheckConstraint(condition=models.Q(('limit__gt', 0)), name='thresholdtrial_limit_positive')],
                    },
                ),
                migrations.CreateModel(
                    name='StoryPass',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('last_run_at', models.DateTimeField(blank=True, null=True)),
                        ('elapsed_ms', models.PositiveIntegerField(blank=True, null=True)),
                        ('n_reports', models.PositiveIntegerField(default=0, help_text="Texts in the last pass's window")),
                        ('n_placed', models.PositiveIntegerField(default=0, help_text='Articles that the pass looked at')),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                        ('n_claims', models.SmallIntegerField(editable=False, null=True)),
                    ],
                    options={
                        'verbose_name_plural': 'story passes',
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='storypass_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='storypass_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='storypass_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='storypass_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='StoryReport',
                    fields=[
                        ('article', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='story_report', serialize=False, to='extraction.article')),
                        ('digest', models.CharField(blank=True, default='', max_length=64)),
                        ('terms', models.BinaryField(default=b'', help_text='Words of title and lead: hashes of 4 bytes, then counts of 1 byte')),
                        ('asked_at', models.DateTimeField(help_text='When it was last put before a pass')),
                        ('placed_at', models.DateTimeField(blank=True, help_text='When a pass put it somewhere; empty while it waits', null=True)),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('placed_at', None)), fields=['article'], name='storyreport_waiting')],
                    },
                ),
                migrations.CreateModel(
                    name='EnteredText',
                    fields=[
                        ('article', models.BigIntegerField(help_text='Primary key of the article', primary_key=True, serialize=False)),
                        ('fingerprints', models.BinaryField(help_text='64-bit little-endian integers')),
                    ],
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(make_fingerprints, drop_fingerprints)],
            state_operations=[
                migrations.CreateModel(
                    name='Fingerprint',
                    fields=[
                        ('pk', models.CompositePrimaryKey('hash', 'article', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('hash', models.BigIntegerField()),
                        ('article', models.BigIntegerField(help_text="Primary key of the article")),
                    ],
                ),
            ],
        ),
    ]
