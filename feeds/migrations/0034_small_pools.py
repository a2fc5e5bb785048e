"""A pool of addresses in fewer bytes: no column that differs in each row in an index of all.

Writes no rows; builds one index over the addresses that wait.
"""

import django.db.models.deletion
from django.db import migrations, models

from feeds.migrating import DropColumnIndex


class Migration(migrations.Migration):

    dependencies = [
        ('feeds', '0033_records_by_reference'),
    ]

    operations = [
        DropColumnIndex(
            model_name='crawladdress',
            name='crawl',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='feeds.crawl'),
        ),
        DropColumnIndex(
            model_name='crawladdress',
            name='page',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='crawled_as', to='feeds.page'),
        ),
        migrations.AddIndex(
            model_name='crawladdress',
            index=models.Index(condition=models.Q(('page__isnull', False)), fields=['page'], name='crawladdress_of_page'),
        ),
        migrations.AddIndex(
            model_name='crawladdress',
            index=models.Index(condition=models.Q(('released_at__isnull', True)), fields=['crawl', 'seed', 'host', 'depth'], name='crawladdress_waits'),
        ),
        migrations.RemoveIndex(
            model_name='crawladdress',
            name='crawladdress_next',
        ),
    ]
