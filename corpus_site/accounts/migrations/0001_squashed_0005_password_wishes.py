"""All tables as they are after the migrations it stands in for: a first start makes them at once."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import feeds.migrating
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('accounts', '0001_initial'), ('accounts', '0002_single_keys'), ('accounts', '0003_api_token'), ('accounts', '0004_people_from_elsewhere'), ('accounts', '0005_password_wishes')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        feeds.migrating.CreateModels(
            models=[
                migrations.CreateModel(
                    name='User',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('password', models.CharField(max_length=128, verbose_name='password')),
                        ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                        ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                        ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                        ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                        ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                        ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                        ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                        ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                        ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                        ('role', models.CharField(choices=[('linguist', 'Linguist'), ('editor', 'Editor'), ('admin', 'Admin')], default='linguist', max_length=10)),
                        ('theme', models.CharField(choices=[('system', 'As the system'), ('light', 'Light'), ('dark', 'Dark')], default='system', max_length=6)),
                        ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                        ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                        ('single_keys', models.BooleanField(default=True, help_text='Keys of one letter, as “/” and “j”, work outside of fields')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['linguist', 'editor', 'admin'])), name='user_role_known')],
                    },
                    managers=[
                        ('objects', django.contrib.auth.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name='ApiToken',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(help_text='Where it is used: a notebook, a server', max_length=80)),
                        ('digest', models.CharField(editable=False, help_text='SHA-256', max_length=64, unique=True)),
                        ('prefix', models.CharField(editable=False, help_text='How the token begins', max_length=12)),
                        ('scope', models.CharField(choices=[('read', 'Read'), ('export', 'Read and export')], default='read', max_length=6)),
                        ('created_at', models.DateTimeField(editable=False)),
                        ('expires_at', models.DateTimeField()),
                        ('last_used_at', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'API token',
                        'ordering': ['-created_at', '-pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('scope__in', ['read', 'export'])), name='token_scope_known')],
                    },
                ),
                migrations.CreateModel(
                    name='ExternalAccount',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('way', models.CharField(choices=[('openid', 'OpenID Connect'), ('directory', 'LDAP directory'), ('header', 'Trusted proxy')], editable=False, max_length=9)),
                        ('subject', models.CharField(editable=False, max_length=255)),
                        ('groups', models.JSONField(default=list, editable=False, help_text='As said at the last sign-in')),
                        ('created_at', models.DateTimeField(editable=False)),
                        ('last_used_at', models.DateTimeField(editable=False)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='external_accounts', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['user', 'way'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('way__in', ['openid', 'directory', 'header'])), name='sign_in_way_known'), models.UniqueConstraint(fields=('way', 'subject'), name='one_account_a_subject')],
                    },
                ),
                migrations.CreateModel(
                    name='PersonEvent',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('username', models.CharField(max_length=150)),
                        ('what', models.CharField(choices=[('invited', 'Invited'), ('arrived', 'Signed in first'), ('role', 'Role'), ('left', 'Sent away'), ('back', 'Let in again'), ('link', 'Link for a new password'), ('forgotten', 'Password forgotten'), ('password', 'Password set')], max_length=9)),
                        ('said', models.CharField(blank=True, default='', max_length=200)),
                        ('at', models.DateTimeField()),
                        ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='acts', to=settings.AUTH_USER_MODEL)),
                        ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-at', '-pk'],
                        'indexes': [models.Index(fields=['user', 'what', 'at'], name='person_event_of_user')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('what__in', ['invited', 'arrived', 'role', 'left', 'back', 'link', 'forgotten', 'password'])), name='person_act_known')],
                    },
                ),
                migrations.CreateModel(
                    name='PasswordWish',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('whose', models.CharField(help_text='A name or a mail address, as typed', max_length=254)),
                        ('site', models.CharField(help_text='Where links of the mail begin', max_length=300)),
                        ('asked_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
            ],
        ),
    ]
