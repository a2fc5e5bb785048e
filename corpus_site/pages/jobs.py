"""`/status/jobs/`: what people asked the program to do, and what it does by itself."""

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from corpus_site import jobs as all_jobs
from presentation.fragments import part_of
from presentation.primary_keys import primary_key


@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    return _shown(request, "corpus_site/jobs.html")


@require_safe
@part_of("jobs")
def jobs_part(request: HttpRequest) -> HttpResponse:
    return _shown(request, "corpus_site/_jobs.html")


def _shown(request: HttpRequest, template: str) -> HttpResponse:
    now = timezone.localtime()
    found = all_jobs.jobs(now)
    context = {
        "now": now,
        "jobs": found,
        "n_open": sum(job.is_open for job in found),
        "schedules": all_jobs.schedules(),
    }
    return render(request, template, context)


@permission_required("feeds.change_page", raise_exception=True)
@require_POST
def change_job(request: HttpRequest) -> HttpResponse:
    """Stop a job, or let it go on where it stands."""
    pk, act = primary_key(request.POST.get("pk")), request.POST.get("act")
    rows = None if pk is None else all_jobs.stoppable(request.POST.get("table", ""), pk)
    if rows is None or act not in {"stop", "go-on"}:
        return HttpResponseBadRequest("This is no job.", content_type="text/plain")
    if act == "stop":
        is_done = all_jobs.stop(rows)
        words = "The job is stopped; what it has counted stays."
    else:
        is_done = all_jobs.go_on(rows, timezone.now())
        words = "The job goes on where it stood."
    if is_done:
        messages.success(request, words)
    else:
        messages.info(request, "The job has ended or changed meanwhile; nothing was done.")
    return redirect("jobs")
