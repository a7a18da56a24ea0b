"""A guide asks one question at a time: by keyboard, back again, and all of it on paper and where no script runs."""

import pytest

PAGE = "chapters/07_side_by_side/03_decide"


@pytest.fixture
def seen(visit, site):
    return visit((site / f"{PAGE}.html").as_uri())


def shown(page):
    return [one.text_content() for one in page.locator(".guide-answer").all() if one.is_visible()]


def test_an_answer_opens_what_follows_and_hides_the_others(seen):
    page = seen.page
    first = shown(page)
    assert len(first) == 4
    for answer in (first[0], "From the public", "A treatment for each state"):
        page.locator(".guide").get_by_role("button", name=answer).press("Enter")
    assert len(shown(page)) == 3 and page.locator(".guide code", has_text="dp_treatment_policy").is_visible()
    assert not page.locator(".guide code", has_text="compose_guarantees").is_visible()
    assert page.get_by_role("button", name="From the public").get_attribute("aria-expanded") == "true"
    page.locator(".guide").get_by_role("button", name=first[0]).press("Enter")
    assert shown(page) == first and page.locator(".guide-chosen").count() == 0
    assert seen.complaints == []


def test_all_is_there_on_paper_and_where_no_script_runs(seen, visit, site):
    seen.page.emulate_media(media="print")
    without = visit((site / f"{PAGE}.html").as_uri(), scripts=False).page
    for page in (seen.page, without):
        ends = page.locator(".guide li:not(:has(li))")
        firm = [text for text in ends.locator("> p:last-child").all_inner_texts() if text.startswith("None of these fits")]
        assert (ends.count(), len(firm)) == (18, 4) and all(end.is_visible() for end in ends.locator("> p:last-child").all())
