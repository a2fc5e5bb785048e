"""Put the rules of each publication into its version 1, valid for all pages.

Rules that were switched off go into the version's note, so that nothing an editor wrote is lost.
"""

from django.db import migrations
from django.db.models import Max, Min


def into_versions(apps, schema_editor):
    SiteRule = apps.get_model("extraction", "SiteRule")
    RuleVersion = apps.get_model("extraction", "RuleVersion")
    rows = SiteRule.objects.order_by("publication", "field", "position", "pk")
    for publication in rows.order_by().values_list("publication", flat=True).distinct():
        own = rows.filter(publication=publication)
        span = own.aggregate(first=Min("created_at"), last=Max("created_at"))
        off = [_words(rule) for rule in own.filter(is_active=False)]
        note = "Rules from before there were versions."
        if off:
            note += " Switched off then: " + "; ".join(off) + "."
        version = RuleVersion.objects.create(
            publication_id=publication,
            number=1,
            note=note,
            created_at=span["first"],
            published_at=span["last"],
        )
        own.filter(is_active=False).delete()
        own.update(version=version)


def _words(rule):
    parts = (rule.selector, rule.tag_type, rule.attribute_name, rule.attribute_value)
    return f"{rule.field} by {rule.kind}: " + " ".join(part for part in parts if part)


def out_of_versions(apps, schema_editor):
    """Keep the rules of the newest published version of each publication."""
    SiteRule = apps.get_model("extraction", "SiteRule")
    RuleVersion = apps.get_model("extraction", "RuleVersion")
    published = RuleVersion.objects.exclude(published_at=None)
    for publication, number in published.values_list("publication").annotate(Max("number")):
        version = RuleVersion.objects.get(publication=publication, number=number)
        SiteRule.objects.filter(version=version).update(publication=publication)
    SiteRule.objects.filter(publication=None).delete()


class Migration(migrations.Migration):
    dependencies = [("extraction", "0003_rule_versions")]

    operations = [migrations.RunPython(into_versions, out_of_versions)]
