import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0018_subcorpora'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Marking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('categories', models.JSONField(help_text='Names, in the order of the keys 1 to 9')),
                ('parameters', models.TextField(help_text='Query string of the search address, asof included')),
                ('generation', models.PositiveBigIntegerField(help_text='Of the index, at which its lines stand')),
                ('drawn_at', models.PositiveBigIntegerField(help_text='The generation its lines were drawn from')),
                ('n_hits', models.PositiveBigIntegerField(help_text='Of the query then, of which the lines are drawn')),
                ('base_tokens', models.PositiveBigIntegerField(help_text='That the hits were looked for in')),
                ('n_lines', models.PositiveIntegerField(help_text='That were drawn')),
                ('seed', models.PositiveIntegerField(help_text='Of random lines; null: the first', null=True)),
                ('is_shared', models.BooleanField(default=False, help_text='Others may mark it too')),
                ('created_at', models.DateTimeField()),
                ('opened_at', models.DateTimeField(null=True)),
                ('carried_from', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='carried', to='search.marking')),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='markings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Marker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=150)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('marking', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='markers', to='search.marking')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='MarkedLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='From 1, in the order they were drawn')),
                ('kind', models.PositiveSmallIntegerField(help_text='As the index counts: 1 article, 2 comment …')),
                ('key', models.BigIntegerField(help_text='Of the text, within its kind')),
                ('article_key', models.BigIntegerField(help_text='The article, or the one commented on')),
                ('position', models.PositiveIntegerField()),
                ('length', models.PositiveIntegerField()),
                ('words', models.TextField(help_text='That matched, as they are written')),
                ('marking', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='search.marking')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='LineMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.PositiveSmallIntegerField(help_text='Place of the category from 1; 0: left out; null: a note alone', null=True, validators=[django.core.validators.MaxValueValidator(9)])),
                ('note', models.CharField(blank=True, default='', max_length=300)),
                ('marked_at', models.DateTimeField()),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='search.markedline')),
                ('marker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='search.marker')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('marker', 'line'), name='linemark_once'), models.CheckConstraint(condition=models.Q(('value', None), ('value__lte', 9), _connector='OR'), name='linemark_value_known')],
            },
        ),
        migrations.AddConstraint(
            model_name='marker',
            constraint=models.UniqueConstraint(fields=('marking', 'person'), name='marker_person_once'),
        ),
        migrations.AddIndex(
            model_name='markedline',
            index=models.Index(fields=['article_key'], name='markedline_article'),
        ),
        migrations.AddIndex(
            model_name='markedline',
            index=models.Index(condition=models.Q(('kind', 2)), fields=['key'], name='markedline_comment'),
        ),
        migrations.AddConstraint(
            model_name='markedline',
            constraint=models.UniqueConstraint(fields=('marking', 'number'), name='markedline_number_once'),
        ),
    ]
