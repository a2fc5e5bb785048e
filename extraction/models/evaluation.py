"""Tables of the extractors' evaluation: choice per publication, reference texts, runs and pages."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ALGORITHMS, AUTO, ExtractorChoice
from feeds.models import AskedWork
from presentation.wording.times import stamp

EXTRACTOR_NAMES = [
    (AUTO, "Default (auto)"),
    *((algorithm.name, algorithm.label) for algorithm in ALGORITHMS.values()),
]


class ExtractorSetting(models.Model):
    """Which extractor a publication's pages are read with; without a row the default one."""

    publication = models.OneToOneField(
        "feeds.Publication", on_delete=models.CASCADE, related_name="extractor_setting"
    )
    extractor = models.CharField(max_length=20, choices=EXTRACTOR_NAMES, default=AUTO)
    parameters = models.JSONField(
        default=dict, blank=True, help_text='Only what differs from the source, {"phi": 3}'
    )
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(extractor__in=[name for name, _ in EXTRACTOR_NAMES]),
                name="extractorsetting_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.publication}: {self.extractor}"

    def clean(self) -> None:
        if not isinstance(self.parameters, dict):
            raise ValidationError({"parameters": "Parameters are names with values."})
        try:
            ExtractorChoice.of(self.extractor, self.parameters)
        except AlgorithmParameterError as error:
            raise ValidationError({"parameters": str(error)}) from error


class ReferenceText(models.Model):
    """What a perfect extractor would give for an article, as an editor confirmed it."""

    article = models.OneToOneField(
        "extraction.Article", on_delete=models.CASCADE, related_name="reference_text"
    )
    text = models.TextField()
    confirmed_at = models.DateTimeField()
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="referencetext_says_something")
        ]

    def __str__(self) -> str:
        return f"reference text of article {self.article_id}"


class EvaluationRun(AskedWork):
    """Extractors side by side on a publication's newest articles; worked on slice by slice.

    The pages are chosen when the run is asked for, so every extractor meets the same ones.
    """

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="evaluation_runs"
    )
    extractors = models.JSONField(help_text="As the command takes them: name:parameter=value")
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    n_pages = models.PositiveIntegerField()
    n_done = models.PositiveIntegerField(default=0)
    figures = models.JSONField(
        default=dict, blank=True, help_text="Reference → extractor → pages and figures"
    )

    class Meta(AskedWork.Meta):
        abstract = False
        ordering = ["-asked_at", "-pk"]
        constraints = [
            *AskedWork.Meta.constraints,
            models.CheckConstraint(
                condition=Q(n_done__lte=F("n_pages")), name="evaluationrun_done_of_pages"
            ),
        ]

    def __str__(self) -> str:
        return f"evaluation of {self.publication} at {stamp(self.asked_at)}"


class EvaluatedPage(models.Model):
    """One article of a run, with the scores of every extractor once it was looked at."""

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="pages")
    article = models.ForeignKey("extraction.Article", on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    scores = models.JSONField(
        default=dict, blank=True, help_text="Reference → extractor → row of scores"
    )
    problem = models.CharField(max_length=200, blank=True, default="")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "article"], name="evaluatedpage_once")
        ]

    def __str__(self) -> str:
        return f"article {self.article_id} of run {self.run_id}"
