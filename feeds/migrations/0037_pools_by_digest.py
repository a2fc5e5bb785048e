"""Addresses of crawls are known by a digest of their key, which goes.

Writes the rows of the table once, in batches: what is ended in the middle goes on where it stood.
"""

import hashlib

from django.db import migrations, models

from feeds.crawler.addressing.canonical import canonicalize
from feeds.migrating import CopyInBatches


def digest_of(key):
    return hashlib.sha256(key.encode()).digest()[:20]


def digests(schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        return {"digest": "substr(sha256(convert_to(key, 'UTF8')), 1, 20)"}
    schema_editor.connection.ensure_connection()
    schema_editor.connection.connection.create_function("digest_of", 1, digest_of)
    return {"digest": "digest_of(key)"}


def key_of(url):
    return canonicalize(url).key


def write_keys(apps, schema_editor):
    rows = apps.get_model("feeds", "CrawlAddress").objects.order_by()
    for pk, url in rows.values_list("pk", "url").iterator():
        rows.filter(pk=pk).update(key=key_of(url))


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('feeds', '0036_families_of_crawls'),
    ]

    operations = [
        CopyInBatches(
            model_name='crawladdress',
            operations=[
                migrations.RemoveConstraint(
                    model_name='crawladdress',
                    name='crawladdress_once',
                ),
                migrations.AddField(
                    model_name='crawladdress',
                    name='digest',
                    field=models.BinaryField(default=b'', help_text='Of its canonical key', max_length=20),
                    preserve_default=False,
                ),
                migrations.RunPython(migrations.RunPython.noop, write_keys),
                migrations.AddConstraint(
                    model_name='crawladdress',
                    constraint=models.UniqueConstraint(fields=('crawl', 'digest'), name='crawladdress_once'),
                ),
                migrations.SeparateDatabaseAndState(  # for the way back alone, which writes them
                    state_operations=[
                        migrations.AlterField(
                            model_name='crawladdress',
                            name='key',
                            field=models.CharField(default='', max_length=2048),
                        ),
                    ],
                ),
                migrations.RemoveField(
                    model_name='crawladdress',
                    name='key',
                ),
            ],
            values=digests,
        ),
    ]
