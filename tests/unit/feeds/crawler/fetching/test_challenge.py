"""Bot guards told from documents."""

import pytest

from feeds.crawler.fetching.challenge import find_challenge

JUST_A_MOMENT = (
    b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>"
    b'<script>window._cf_chl_opt={cvId:"3",cType:"managed"};</script></body></html>'
)


@pytest.mark.parametrize("status", [200, 403, 503])
def test_find_challenge_names_cloudflare_on_any_status(status):
    assert find_challenge(status, (), JUST_A_MOMENT) == "Cloudflare"


@pytest.mark.parametrize(
    ("status", "headers", "body", "guard"),
    [
        (403, (("CF-Mitigated", "challenge"),), b"", "Cloudflare"),
        (202, (("x-amzn-waf-action", "challenge"),), b"", "AWS WAF"),
        (405, (("x-amzn-waf-action", "captcha"),), b"", "AWS WAF"),
        (403, (), b"<script src='https://geo.captcha-delivery.com/x.js'>", "DataDome"),
        (200, (), b"Request unsuccessful. Incapsula incident ID: 123", "Imperva"),
        (403, (), b"Reference #18.x https://errors.edgesuite.net/18.x", "Akamai"),
        (403, (), b"<title>Access to this page has been denied.</title>", "HUMAN"),
        (429, (), b"Please solve the CAPTCHA", "captcha"),
    ],
)
def test_find_challenge_names_the_guard(status, headers, body, guard):
    assert find_challenge(status, headers, body) == guard


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<p>An article with a captcha in its comment form</p>"),
        (200, b"<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script><p>News"),
        (200, b"<title>Just a moment...</title><p>A story by that name</p>"),
        (403, b"<h1>Access denied</h1>"),
        (404, JUST_A_MOMENT),
        (500, JUST_A_MOMENT),
        (200, JUST_A_MOMENT + b"x" * 200_000),
    ],
)
def test_find_challenge_leaves_documents_and_plain_refusals_alone(status, body):
    assert find_challenge(status, (), body) is None
