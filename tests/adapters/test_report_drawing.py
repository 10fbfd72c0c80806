"""Display lists as SVG: every item is there, where it belongs, and text stays text; charts of broken down metrics."""

import re
from pathlib import Path

import pytest

from jaxphys_adapters import report_breakdowns
from jaxphys_adapters.report_drawing import drawing, readable
from jaxphys_adapters.report_results import Results
from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Item, Polyline, Rectangle, Text
from jaxphys_benchmarks.explanation import Breakdown

from .test_report_page import Page


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (Disc((10, 20), 5, "#aa0000", width_px=2), '<circle cx="10.0" cy="20.0" r="4.0" fill="#aa0000"'),
        (Polyline(((0, 0), (3, 4.25)), "#00aa00", 1.5), 'points="0.0,0.0 3.0,4.2" fill="none" stroke="#00aa00"'),
        (Arrow((0, 0), (20, 0), "#0000aa", head_px=8), 'points="20.0,0.0 12.0,3.4 12.0,-3.4" fill="#0000aa"'),
        (Rectangle((1, 2), (3, 4), None, "#112233"), 'x="1.0" y="2.0" width="3.0" height="4.0" fill="none" stroke='),
        (Text((5, 50), "a & <b>", 10, anchor="rm"), 'x="5.0" y="53.5" text-anchor="end"'),
        (Text((5, 50), "a & <b>", 10), ">a &amp; &lt;b&gt;</text>"),
    ],
)
def test_items_are_drawn_where_they_belong(item: Item, expected: str) -> None:
    svg = drawing(Canvas(100, 80, "#ffffff", (item,)), 'what "it" shows')
    assert expected in svg
    assert 'viewBox="0 0 100 80"' in svg
    assert 'aria-label="what &quot;it&quot; shows"' in svg
    assert Page(svg).open == []


def test_small_texts_are_larger_in_a_narrow_place_but_for_those_on_discs() -> None:
    disc = Disc((50, 50), 8, "#aa0000")
    texts = [Text(at, "3", size) for at, size in (((50, 50), 10), ((0, 0), 10), ((0, 9), 15), ((0, 30), 40))]
    found = readable(Canvas(1000, 600, "#ffffff", (disc, *texts)))
    assert [item.size_px for item in found.items if isinstance(item, Text)] == [10, 14, 20, 40]
    svg = drawing(found, "", 6)
    assert 'viewBox="-6 -6 1012 612"' in svg
    assert '<rect x="-6" y="-6" width="1012" height="612"' in svg


def test_an_arrow_without_length_is_not_drawn() -> None:
    svg = drawing(Canvas(10, 10, "#ffffff", (Arrow((3, 3), (3, 3), "#000000"),)), "")
    assert "polygon" not in svg


def model(name: str, **metrics: float) -> Results:
    return Results(Path(name), name, 4, {key.replace("__", "/"): value for key, value in metrics.items()}, {}, "robust")


def test_a_chart_has_a_mark_for_each_value_and_a_line_for_each_interval() -> None:
    chart = report_breakdowns.chart(
        [model("a", t__x=0.5, t__x__low=0.25, t__x__high=1.0), model("<b>", t__x=0.0, t__y=1.0)],
        Breakdown("By letter", {"ex": "t/x", "why": "t/y", "none": "t/z"}),
    )
    assert Page(chart).open == []
    assert chart.count("<circle") == 3
    assert "none" not in re.findall(r">([a-z ]+)</text>", chart)
    left, right = report_breakdowns.LEFT, report_breakdowns.WIDTH - 12
    spans = [
        (float(a), float(b)) for a, b in re.findall(r'x1="([\d.]+)" x2="([\d.]+)" y1="[\d.]+" y2="[\d.]+" style', chart)
    ]
    assert spans == [(pytest.approx(left + 0.25 * (right - left)), pytest.approx(right))]
    ends = sorted(float(x) for x in re.findall(r'<circle cx="([\d.]+)"', chart))
    assert ends == [left, pytest.approx((left + right) / 2), right]


@pytest.mark.parametrize(("most", "end"), [(0.3, "1"), (1.0, "1"), (1.3, "2"), (15, "20"), (87, "100"), (400, "400")])
def test_an_axis_ends_at_a_round_number(most: float, end: str) -> None:
    chart = report_breakdowns.chart([model("a", t__x=most)], Breakdown("", {"ex": "t/x"}))
    assert re.findall(r'text-anchor="middle">([\d.]+)<', chart)[-1] == end


def test_a_table_that_no_model_has_is_left_out() -> None:
    assert report_breakdowns.charts([model("a", t__x=1.0)], [Breakdown("By letter", {"why": "t/y"})]) == ""
