"""`/stories/` and `/stories/<id>/`: events with all their reports, and who was first."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from search.articles.stories import (
    publications_with_stories,
    read_story,
    standing_story,
    story_page,
    story_rows,
)
from search.articles.summary import LENGTH_PARAMETER, wanted_length


@require_safe
def stories(request: HttpRequest) -> HttpResponse:
    publications = publications_with_stories()
    slug = request.GET.get("pub", "")
    chosen = next((one for one in publications if one.slug == slug), None)
    page = story_page(request.GET.get("p"), chosen.slug if chosen else "")
    context = {
        "page": page,
        "rows": story_rows(list(page.object_list)),
        "publications": [(one.slug, one.name) for one in publications],
        "chosen": chosen,
        "unknown": slug if slug and chosen is None else "",
    }
    return render(request, "search/stories.html", context)


@require_safe
def story(request: HttpRequest, story_id: int) -> HttpResponse:
    found = standing_story(story_id)
    if found is None:
        raise Http404
    if found.pk != story_id:
        return redirect("story", found.pk)
    reading = read_story(found, wanted_length(request.GET))
    if reading is None:
        raise Http404
    context = {"reading": reading, "length_parameter": LENGTH_PARAMETER}
    return render(request, "search/story.html", context)
