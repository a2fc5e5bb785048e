"""`/articles/pages.wacz?of=…`: the archived pages at an address of the site, for replayers."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds.crawler.archive.wacz import WACZ_TYPE, AboutFile, write_wacz
from presentation.wording.figures import counted
from search.articles.page_files import NoPagesError, pages_at

# Somebody waits for it; longer files are made by a command.
MOST_PAGES = 500
_MOST_ADDRESS = 2_000  # characters


@require_safe
def page_file(request: HttpRequest) -> HttpResponseBase:
    address = request.GET.get("of", "")[:_MOST_ADDRESS]
    try:
        pages = pages_at(address, request.user)
    except NoPagesError as error:
        return _refused(str(error))
    n_articles = pages.n_articles
    if n_articles > MOST_PAGES:
        return _refused(
            f"These are {counted(n_articles, 'page')}; a download has up to {MOST_PAGES}. "
            "Narrow the search, or ask an admin for “manage.py export_wacz FILE ADDRESS”."
        )
    if not n_articles:
        return _refused("There are no articles here.")
    with ExitStack() as closing:
        file = closing.enter_context(tempfile.TemporaryFile())
        with tempfile.TemporaryDirectory(prefix="broadsheet-wacz-") as scratch:
            site = f"{request.scheme}://{request.get_host()}"
            about = AboutFile(pages.title, f"{site}{address}", timezone.now())
            n_pages = write_wacz(file, pages.captures(), about, Path(scratch))
        if not n_pages:
            return _refused(f"No page can be had: {pages.left_out_words()}.")
        closing.pop_all()  # the answer closes the file
    file.seek(0)
    name = f"broadsheet-pages-{timezone.now():%Y%m%dT%H%M%SZ}.wacz"
    return FileResponse(file, as_attachment=True, filename=name, content_type=WACZ_TYPE)


def _refused(sentence: str) -> HttpResponse:
    return HttpResponse(f"{sentence}\n", status=400, content_type="text/plain; charset=utf-8")
