"""`/comments/months/`: look now at the readers' comments of a month, with progress."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from extraction import comment_months
from extraction.comment_months import MonthOfThreads
from extraction.forms import CommentMonthForm
from presentation.fragments import part_of
from presentation.wording.figures import counted


@require_http_methods(["GET", "HEAD", "POST"])
def months(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _begin(request)
    form = CommentMonthForm(initial={"month": f"{timezone.localdate():%Y-%m}"})
    return render(request, "corpus_site/comment_months.html", {"form": form} | _jobs())


@require_safe
@part_of("comment-months")
def months_part(request: HttpRequest) -> HttpResponse:
    return render(request, "corpus_site/_comment_months.html", _jobs())


@permission_required("feeds.change_page", raise_exception=True)
def _begin(request: HttpRequest) -> HttpResponse:
    form = CommentMonthForm(request.POST)
    if not form.is_valid():
        context = {"form": form} | _jobs()
        return render(request, "corpus_site/comment_months.html", context, status=400)
    publication = form.cleaned_data["publication"]
    wanted = MonthOfThreads(form.cleaned_data["month"], publication.pk if publication else None)
    job = comment_months.start(wanted, request.user.pk, timezone.now())
    threads = counted(job.n_threads, "thread")
    messages.success(request, f"{threads} of this month will be looked at, at their hosts’ pace.")
    return redirect("comment-months")


def _jobs() -> dict[str, Any]:
    now = timezone.localtime()
    jobs = list(comment_months.jobs(now))
    return {"now": now, "jobs": jobs, "n_open": sum(job.is_open for job in jobs)}
