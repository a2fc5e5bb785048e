"""Tables whose changes reach further apps: publications, articles and comments in Django's admin.

Their pages stand in their own apps; what is changed here goes through the services of those, and
the stages behind are told. Nothing is deleted that the corpus rests on: it is withdrawn.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from corpus_site import pipeline
from corpus_site.removal import withdrawals
from extraction import correcting
from extraction.admin import ArticleAdmin, CommentAdmin
from extraction.comment_texts import rewrite
from extraction.correcting import Editor, EmptyTitleError
from extraction.forms import ArticleFieldsForm
from extraction.models import Article, Comment
from extraction.stage.corrections import FIELDS
from extraction.withdrawal.register import Order
from feeds.admin import PublicationAdmin
from feeds.models import Publication, PublicationState
from feeds.sources import publications
from feeds.table_admin import RemovedByService
from presentation.wording.figures import counted

admin.site.unregister(Article)
admin.site.unregister(Comment)
admin.site.unregister(Publication)


# What the register says of a text that was deleted in its table.
REASON = "Taken out under All tables"


def _order(request: HttpRequest) -> Order:
    return Order(REASON, request.user, timezone.now())


class WithdrawnTexts(RemovedByService):
    """Texts whose deletion withdraws them."""

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Name what is withdrawn: no row goes, so nothing goes along with one."""
        del request
        names = [f"{obj} (withdrawn: it can be put back)" for obj in objs]
        return names, {str(self.model._meta.verbose_name_plural): len(names)}, set(), []


class ArticleTableForm(ArticleFieldsForm, forms.ModelForm):  # type: ignore[type-arg] # as elsewhere
    """Corrections by hand; a value that was not touched is none."""

    class Meta:
        model = Article
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        article = kwargs.get("instance")
        if article is not None:
            kwargs["initial"] = ArticleFieldsForm.values_of(article) | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)


@admin.register(Article)
class CorrectedArticles(WithdrawnTexts, ArticleAdmin):
    """What an editor changes of an article here is a correction by hand, as on its own page."""

    form = ArticleTableForm
    editable = FIELDS
    actions: Any = ("extract_again", "take", "leave_out")

    def save_model(self, request: HttpRequest, obj: Article, form: Any, change: bool) -> None:
        del change
        editor = Editor(request.user.pk, timezone.now())
        try:
            is_new = correcting.correct(obj.pk, form.corrected(), editor)
        except EmptyTitleError as error:
            # The article got a title after the form was filled.
            self.message_user(request, str(error), messages.ERROR)
            return
        if is_new:
            pipeline.follow("articles", [obj.pk], editor.now)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        withdrawals.withdraw_articles([obj.pk], _order(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        withdrawals.withdraw_articles(list(queryset.values_list("pk", flat=True)), _order(request))

    @admin.action(description="Take into the corpus anyway", permissions=["change"])
    def take(self, request: HttpRequest, queryset: QuerySet[Article]) -> None:
        self._take(request, queryset, is_taken=True)

    @admin.action(description="Leave to the rules of its publication", permissions=["change"])
    def leave_out(self, request: HttpRequest, queryset: QuerySet[Article]) -> None:
        self._take(request, queryset, is_taken=False)

    def _take(self, request: HttpRequest, rows: QuerySet[Article], *, is_taken: bool) -> None:
        editor = Editor(request.user.pk, timezone.now())
        ids = rows.order_by("pk").values_list("pk", flat=True)
        new = [pk for pk in ids if correcting.take(pk, is_taken=is_taken, editor=editor)]
        pipeline.follow("articles", new, editor.now)
        words = f"{counted(len(new), 'article')} placed anew."
        self.message_user(request, words, messages.SUCCESS)


class CommentTableForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    class Meta:
        model = Comment
        fields = ("text",)
        help_texts = {
            "text": "Searches follow. A later look at its thread may bring its system's text again."
        }


@admin.register(Comment)
class RewrittenComments(WithdrawnTexts, CommentAdmin):
    form = CommentTableForm
    editable = ("text",)

    def save_model(self, request: HttpRequest, obj: Comment, form: Any, change: bool) -> None:
        del request, change
        now = timezone.now()
        if rewrite(obj.pk, form.cleaned_data["text"], now):
            pipeline.follow("comments", [obj.pk], now)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        withdrawals.withdraw_comment(obj, _order(request))


@admin.register(Publication)
class RemovedPublications(WithdrawnTexts, PublicationAdmin):
    """A draft goes; what was ever started is paused, and its texts are withdrawn."""

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        del request
        names = [
            f"{obj} (deleted: it was never started)"
            if publications.is_unused_draft(obj)
            else f"{obj} (paused; its texts are withdrawn and can be put back)"
            for obj in objs
        ]
        return names, {"publications": len(names)}, set(), []

    def remove(self, request: HttpRequest, obj: Any) -> None:
        if publications.is_unused_draft(obj):
            publications.delete_draft(obj)
            return
        order = _order(request)
        if obj.state == PublicationState.ACTIVE:
            publications.pause(obj, order.now)
        withdrawals.withdraw_publication(obj, order)
