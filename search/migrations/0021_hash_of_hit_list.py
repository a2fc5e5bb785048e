from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0020_past_queries'),
    ]

    operations = [
        migrations.AddField(
            model_name='savedquery',
            name='digest',
            field=models.CharField(blank=True, default='', help_text='SHA-256 of the list of hits', max_length=64),
        ),
    ]
