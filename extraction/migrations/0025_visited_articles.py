from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('extraction', '0024_collected_texts'),
        ('feeds', '0021_collections'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='article',
            index=models.Index(condition=models.Q(('page__isnull', False)), fields=['-created_at'], name='article_visited'),
        ),
    ]
