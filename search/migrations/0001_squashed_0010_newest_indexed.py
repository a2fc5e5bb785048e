"""All tables as they are after the migrations it stands in for: a first start makes them at once."""

import django.db.models.deletion
import django.db.models.functions.text
import feeds.migrating
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('search', '0001_initial'), ('search', '0002_ignored_word'), ('search', '0003_word_list'), ('search', '0004_lexicon_history_and_corrections'), ('search', '0005_history_of_entries'), ('search', '0006_macro'), ('search', '0007_rescheduled_work'), ('search', '0008_leaving_texts'), ('search', '0009_held_rows'), ('search', '0010_newest_indexed')]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('extraction', '0019_hard_samples'),
    ]

    operations = [
        feeds.migrating.CreateModels(
            models=[
                migrations.CreateModel(
                    name='SavedQuery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('short', models.SlugField(max_length=16, unique=True)),
                        ('name', models.CharField(blank=True, default='', max_length=100)),
                        ('parameters', models.TextField(help_text='Query string of the search address, asof included')),
                        ('note', models.TextField(blank=True, default='')),
                        ('generation', models.PositiveBigIntegerField()),
                        ('n_hits', models.PositiveBigIntegerField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='queries', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name_plural': 'saved queries',
                        'ordering': ['-created_at'],
                    },
                ),
                migrations.CreateModel(
                    name='IndexedArticle',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('done_digest', models.CharField(blank=True, default='', max_length=64)),
                        ('generation', models.PositiveBigIntegerField(blank=True, help_text='In which it came in', null=True)),
                        ('n_tokens', models.PositiveIntegerField(default=0)),
                        ('indexed_at', models.DateTimeField(blank=True, null=True)),
                        ('outcome', models.CharField(blank=True, default='', help_text='indexed, left out …', max_length=24)),
                        ('article', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='indexed', to='extraction.article')),
                        ('lexicon_revision', models.PositiveBigIntegerField(default=0, help_text='The last change of the lexicon that the tags know of')),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                    ],
                    options={
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='indexedarticle_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='indexedarticle_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='indexedarticle_held'), models.Index(fields=['-indexed_at'], name='indexedarticle_newest')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='indexedarticle_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='IndexedComment',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('done_digest', models.CharField(blank=True, default='', max_length=64)),
                        ('generation', models.PositiveBigIntegerField(blank=True, help_text='In which it came in', null=True)),
                        ('n_tokens', models.PositiveIntegerField(default=0)),
                        ('indexed_at', models.DateTimeField(blank=True, null=True)),
                        ('outcome', models.CharField(blank=True, default='', help_text='indexed, left out …', max_length=24)),
                        ('comment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='indexed', to='extraction.comment')),
                        ('lexicon_revision', models.PositiveBigIntegerField(default=0, help_text='The last change of the lexicon that the tags know of')),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                    ],
                    options={
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='indexedcomment_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='indexedcomment_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='indexedcomment_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='indexedcomment_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='LexiconEntry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('word', models.CharField(max_length=100)),
                        ('tag', models.CharField(help_text='Penn tag, such as NN', max_length=40)),
                        ('lemma', models.CharField(blank=True, default='', max_length=100)),
                        ('language_of_origin', models.CharField(blank=True, default='', max_length=40)),
                        ('note', models.TextField(blank=True, default='')),
                        ('is_active', models.BooleanField(default=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('updated_at', models.DateTimeField(auto_now=True)),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('source', models.CharField(blank=True, default='', max_length=200)),
                    ],
                    options={
                        'verbose_name_plural': 'lexicon entries',
                        'ordering': ['word'],
                        'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('word'), name='lexiconentry_word_once'), models.CheckConstraint(condition=models.Q(('word', ''), _negated=True), name='lexiconentry_word_not_empty'), models.CheckConstraint(condition=models.Q(('tag', ''), _negated=True), name='lexiconentry_tag_not_empty')],
                    },
                ),
                migrations.CreateModel(
                    name='Subcorpus',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100)),
                        ('slug', models.SlugField(max_length=100, unique=True)),
                        ('filters', models.TextField()),
                        ('is_shared', models.BooleanField(default=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subcorpora', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name_plural': 'subcorpora',
                        'ordering': ['name'],
                        'constraints': [models.UniqueConstraint(fields=('owner', 'name'), name='subcorpus_name_once')],
                    },
                ),
                migrations.CreateModel(
                    name='IgnoredWord',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('word', models.CharField(max_length=100, unique=True)),
                        ('ignored_at', models.DateTimeField(auto_now_add=True)),
                        ('ignored_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-ignored_at', 'word'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('word', ''), _negated=True), name='ignoredword_not_empty')],
                    },
                ),
                migrations.CreateModel(
                    name='WordList',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=40, unique=True)),
                        ('words', models.TextField(help_text='A word a line')),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='word_lists', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name'],
                    },
                ),
                migrations.CreateModel(
                    name='LexiconUse',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('word', models.CharField(help_text='In small letters', max_length=100, unique=True)),
                        ('n_hits', models.PositiveBigIntegerField(default=0)),
                        ('n_texts', models.PositiveBigIntegerField(default=0)),
                        ('n_checked', models.PositiveIntegerField(default=0)),
                        ('n_decided', models.PositiveIntegerField(default=0)),
                        ('n_overrode', models.PositiveIntegerField(default=0)),
                        ('counted_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['word'],
                    },
                ),
                migrations.CreateModel(
                    name='UseCount',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('last_word', models.CharField(blank=True, default='', max_length=100)),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                    ],
                    options={
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='usecount_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='usecount_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='usecount_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='usecount_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='LexiconChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('word', models.CharField(max_length=100)),
                        ('kind', models.CharField(choices=[('added', 'added'), ('changed', 'changed'), ('removed', 'removed')], max_length=7)),
                        ('tag', models.CharField(blank=True, default='', max_length=40)),
                        ('lemma', models.CharField(blank=True, default='', max_length=100)),
                        ('language_of_origin', models.CharField(blank=True, default='', max_length=40)),
                        ('note', models.TextField(blank=True, default='')),
                        ('source', models.CharField(blank=True, default='', max_length=200)),
                        ('made_at', models.DateTimeField()),
                        ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(django.db.models.functions.text.Lower('word'), name='lexiconchange_word')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['added', 'changed', 'removed'])), name='lexiconchange_kind_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Retagging',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('due_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('lease_owner', models.CharField(blank=True, default='', editable=False, max_length=80)),
                        ('attempts', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('last_error', models.TextField(blank=True, default='', editable=False)),
                        ('quarantined_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('title', models.CharField(max_length=200)),
                        ('words', models.JSONField(help_text='In small letters')),
                        ('revision', models.PositiveBigIntegerField()),
                        ('last_article', models.BigIntegerField(default=0, help_text='The next slice begins behind it')),
                        ('last_comment', models.BigIntegerField(default=0)),
                        ('waiting', models.JSONField(blank=True, default=dict)),
                        ('n_texts', models.PositiveIntegerField(default=0)),
                        ('n_done', models.PositiveIntegerField(default=0)),
                        ('n_failed', models.PositiveIntegerField(default=0)),
                        ('created_at', models.DateTimeField()),
                        ('started_at', models.DateTimeField(blank=True, null=True)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('is_rescheduled', models.BooleanField(editable=False, null=True)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'abstract': False,
                        'indexes': [models.Index(condition=models.Q(('quarantined_at__isnull', False)), fields=['quarantined_at'], name='retagging_quarantined'), models.Index(condition=models.Q(('due_at__isnull', False), ('quarantined_at__isnull', True)), fields=['due_at', 'id'], name='retagging_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='retagging_held')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('lease_owner', ''), _negated=True), _connector='OR'), name='retagging_lease_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='TagCorrection',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('scope', models.CharField(choices=[('token', 'this token'), ('text', 'this word in this text'), ('always', 'always: into the lexicon')], max_length=6)),
                        ('word', models.CharField(max_length=100)),
                        ('start', models.PositiveIntegerField(help_text='Code point of the text the token starts at')),
                        ('before', models.CharField(blank=True, default='', max_length=100)),
                        ('after', models.CharField(blank=True, default='', max_length=100)),
                        ('tag_was', models.CharField(max_length=10)),
                        ('tag', models.CharField(max_length=40)),
                        ('lemma', models.CharField(blank=True, default='', max_length=100)),
                        ('note', models.CharField(blank=True, default='', max_length=300)),
                        ('state', models.CharField(choices=[('open', 'open'), ('accepted', 'accepted'), ('refused', 'refused'), ('ended', 'no longer in force')], default='open', max_length=8)),
                        ('reason', models.CharField(blank=True, default='', help_text='Of a refusal', max_length=300)),
                        ('asked_at', models.DateTimeField()),
                        ('decided_at', models.DateTimeField(null=True)),
                        ('article', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tag_corrections', to='extraction.article')),
                        ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(condition=models.Q(('state', 'accepted'), models.Q(('scope', 'always'), _negated=True)), fields=['article'], name='tagcorrection_in_force'), models.Index(fields=['state', '-id'], name='tagcorrection_queue')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('scope', 'token'), ('state', 'accepted')), fields=('article', 'start'), name='tagcorrection_token_once'), models.UniqueConstraint(models.F('article'), django.db.models.functions.text.Lower('word'), condition=models.Q(('scope', 'text'), ('state', 'accepted')), name='tagcorrection_word_once'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'accepted', 'refused', 'ended'])), name='tagcorrection_state_known'), models.CheckConstraint(condition=models.Q(('scope__in', ['token', 'text', 'always'])), name='tagcorrection_scope_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Macro',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=40, unique=True)),
                        ('text', models.TextField(help_text='CQL; $0 to $9 stand for what is given in its brackets')),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='macros', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name'],
                    },
                ),
                migrations.CreateModel(
                    name='LeavingText',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.PositiveSmallIntegerField(help_text='As the index counts: 1 article, 2 comment')),
                        ('key', models.BigIntegerField()),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='leaving_text_once')],
                    },
                ),
            ],
        ),
    ]
