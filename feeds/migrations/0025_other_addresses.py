"""Pages that are other addresses of a page, and the keys of feeds that WordPress names so.

The check of kinds is made anew: PostgreSQL reads the table of pages once for it, SQLite writes it
anew, a minute for some millions. "/?feed=rss2" had the key of "/" so far.
"""

from django.db import migrations, models

from feeds.crawler.addressing.canonical import BadUrl, canonicalize

_KINDS = ["feed", "article", "comments", "index", "sample", "rights", "alias"]


def name_feeds(apps, schema_editor):
    """Write the keys of feeds anew whose address names a format; one that is taken stays."""
    pages = apps.get_model("feeds", "Page").objects
    named = pages.filter(kind="feed", url__contains="feed=").values_list("pk", "url", "key")
    for pk, url, key in list(named):
        try:
            new = canonicalize(url).key
        except BadUrl:
            continue
        if new != key and not pages.filter(key=new).exists():
            pages.filter(pk=pk).update(key=new)


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0024_pages_of_rights"),
    ]

    operations = [
        migrations.RunPython(name_feeds, migrations.RunPython.noop, elidable=True),
        migrations.RemoveConstraint(
            model_name="page",
            name="page_kind_known",
        ),
        migrations.AlterField(
            model_name="page",
            name="kind",
            field=models.CharField(
                choices=[
                    ("feed", "Feed"),
                    ("article", "Article"),
                    ("comments", "Comments"),
                    ("index", "Index page"),
                    ("sample", "Feed sample"),
                    ("rights", "File on rights"),
                    ("alias", "Other address"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="page",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", _KINDS)), name="page_kind_known"
            ),
        ),
    ]
