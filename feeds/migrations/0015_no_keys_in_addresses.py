"""Take the key for Disqus out of addresses that are stored: it is added when a request is sent."""

import re

from django.db import migrations

_KEY = re.compile(r"(?<=[?&])api_key=[^&#]*&?")
_OFFICIAL = ("http://disqus.com/api/", "https://disqus.com/api/")  # the key goes by https alone
_AT_ONCE = 500


def without_key(url):
    return _KEY.sub("", url).rstrip("?&").replace(*_OFFICIAL, 1)


def scrub(apps, schema_editor):
    Page, Fetch = apps.get_model("feeds", "Page"), apps.get_model("feeds", "Fetch")
    pages = Page.objects.filter(kind="comments", url__contains="api_key=")
    for page in pages.only("url", "key").iterator(chunk_size=_AT_ONCE):
        page.url, key = without_key(page.url), without_key(page.key)
        if Page.objects.filter(key=key).exists():  # the same posts, asked for with another key
            key = f"{key}#{page.pk}"
        page.key = key
        page.save(update_fields=["url", "key"])
        for fetch in Fetch.objects.filter(page_id=page.pk).only("url", "final_url", "hops"):
            fetch.url, fetch.final_url = without_key(fetch.url), without_key(fetch.final_url)
            fetch.hops = [[status, without_key(url)] for status, url in fetch.hops]
            fetch.save(update_fields=["url", "final_url", "hops"])


class Migration(migrations.Migration):
    dependencies = [("feeds", "0014_look_ups_and_samples")]

    operations = [migrations.RunPython(scrub, migrations.RunPython.noop)]
