"""The page of a run in a browser: search, filters, changes, keys, dark mode, no network, hostile names."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from porter.core.migration_report import MigrationReport, Reason
from porter.core.run_report import FileReport, RunReport
from porter.report.run.html import format_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None and not os.environ.get("PORTER_NEEDS_CHROMIUM"):
    pytest.skip("no Chromium on this machine", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

HOSTILE = 'src/</script><img src=x onerror="window.hit=1">{{ 7 }}.cu'
EVIL = b"// </script><script>window.hit = 1</script><!--\nint x;\n"


def finding(path: str, line: int, message: str = "a mask of 32 lanes") -> dict[str, Any]:
    place = {"path": path, "line": line, "column": 3}
    return {"code": "WAV007", "severity": "error", **place, "message": message, "hint": ""}


def kernel(name: str, outcome: str, findings: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    by_case = [
        {"case": "captured", "n_elements": 100, "n_mismatch": 0, "max_ulp": 2.0, "max_rel": 1e-7},
        {"case": "n = 33", "n_elements": 33, "n_mismatch": 3, "max_ulp": "Infinity", "max_rel": 0.5},
    ]
    comparison = {
        "cases": 2, "n_elements": 133, "n_mismatch": 3, "max_ulp": "Infinity", "max_abs": 1.0, "max_rel": 0.5,
        "worst_vs_reference": None, "seed": 0, "first_mismatches": [], "by_case": by_case,
    }  # fmt: skip
    estimate = {
        "gpu": "MI355X", "time_us": 12.0, "bound": "memory", "bytes_moved": 8e7, "flops": 1e7,
        "peak_gbps": 8000.0, "peak_tflops": 157.3, "launch_us": 2.0,
    }  # fmt: skip
    details = {"kernels": 1, f"{name}.vgprs": 17, f"{name}.lds_bytes": 4096}
    has_port = outcome != "declined"
    return {
        "kernel": name, "outcome": outcome, "reason": "" if outcome == "ported" else "a mask of 32 lanes",
        "produced_by": "rules", "findings": findings or [], "evidence": ["built:gfx950"] if has_port else [],
        "evidence_details": [{"name": "built:gfx950", "tools": {}, "details": details}] if has_port else [],
        "comparison": comparison if has_port else None, "estimate": estimate if has_port else None,
    }  # fmt: skip


def source(lines: int) -> bytes:
    return b"".join(b"  x[%d] = cudaGet(%d);\n" % (i, i) for i in range(lines))


def file(number: int) -> FileReport:
    name = f"src/part{number // 20}/file{number:03}.cu"
    outcome = "declined" if number % 10 == 3 else "ported"
    before = source(60)
    after = before.replace(b"x[40] = cudaGet", b"x[40] = hipGet").replace(b"x[5] = cudaGet", b"x[5] = hipGet")
    document = {"units": [kernel(f"k{number}", outcome, [finding(name, 21)])], "findings": []}
    state = "open" if outcome == "declined" else "ported"
    return FileReport(name, "kernels", state, before, {name: after} if state == "ported" else {}, document)


def run(count: int) -> RunReport:
    files = [file(n) for n in range(count)]
    hostile = {
        "units": [kernel("<i>k</i>", "failed", [finding(HOSTILE, 1, "<script>window.hit=1</script>")])],
        "findings": [],
    }
    files.append(FileReport(HOSTILE, "kernels", "open", EVIL, {HOSTILE: EVIL + b"int y;\n"}, hostile))
    open_ = sum(f.state == "open" for f in files)
    summary = MigrationReport(
        root="/some/<b>where</b>",
        target="hip",
        arch="gfx950",
        files={"kernels": {"ported": len(files) - open_, "open": open_}},
        kernels={"ported": len(files) - open_, "declined": open_ - 1, "failed": 1},
        evidence={"built:gfx950": len(files) - open_ + 1},
        reasons=(Reason("WAV007", "a mask of 32 lanes", open_, ("src/part0/file003.cu:21",)),),
    )
    return RunReport("20261201-000000-aaaaaaaa", "20261201-000000", summary, tuple(files))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(format_html(run(500)))
    return path


@pytest.fixture
def page(browser: Any, page_path: Path) -> Iterator[Any]:
    """A page that may load nothing but itself, and has nothing to complain of."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, color_scheme="light")
    page = context.new_page()
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(page_path.as_uri())
    yield page
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in requests if url.startswith("file:")]) == 1
    assert complaints == []
    assert page.evaluate("window.hit") is None
    context.close()


def test_it_is_small(page_path: Path) -> None:
    assert page_path.stat().st_size < 10_000_000


def test_the_overview_has_the_numbers(page: Any) -> None:
    assert page.locator("h1").inner_text() == "/some/<b>where</b>"
    assert page.locator(".card .number").all_inner_texts() == ["501", "501", "450", "51"]
    assert page.get_by_text("a mask of 32 lanes").first.is_visible()


def test_search_finds_by_name_code_and_kernel(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("file123")
    expect(page.locator("tr.row")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("tr.row")).to_have_count(501)
    page.fill("#search", "k77 declined")
    expect(page.locator("tr.row")).to_have_count(0)
    page.fill("#search", "k73 declined")
    expect(page.locator("tr.row .name").first).to_contain_text("src/part3/file073.cu")


def test_filters_count_and_narrow(page: Any) -> None:
    page.click("nav a[data-view=files]")
    expect(page.locator("h1")).to_have_text("Files")
    page.get_by_role("button", name=re.compile("^open 51$")).click()
    assert page.locator("tr.row").count() == 51
    assert page.get_by_role("status").inner_text() == "51 files"
    page.get_by_role("button", name=re.compile("^open 51$")).click()
    assert page.locator("tr.row").count() == 501
    page.click("nav a[data-view=kernels]")
    expect(page.locator("h1")).to_have_text("Kernels")
    page.get_by_role("button", name=re.compile("^failed 1$")).click()
    assert page.locator("tr.row").count() == 1


def test_keys_move_open_and_go_back(page: Any) -> None:
    page.keyboard.press("g")
    page.keyboard.press("f")
    expect(page.locator("h1")).to_have_text("Files")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("tr[aria-selected=true]")).to_have_attribute("data-row", "1")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("src/part0/file001.cu")
    page.keyboard.press("n")
    expect(page.locator("h1")).to_have_text("src/part0/file002.cu")
    page.keyboard.press("Escape")
    expect(page.locator("h1")).to_have_text("Files")
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_a_file_shows_its_changes_with_findings_between(page: Any) -> None:
    page.goto(page.url.partition("#")[0] + "#/file/1")
    rows = page.locator("table.diff tr")
    texts = [text for text in rows.all_inner_texts() if text.strip()]
    assert any("x[40] = hipGet(40);" in text for text in texts)
    assert page.locator("td.cut").all_inner_texts()[1] == "  x[5] = cudaGet(5);"
    assert page.locator("tr.note").all_inner_texts() == ["WAV007 error: a mask of 32 lanes"]
    assert page.locator("td.add mark").first.inner_text() == "hip"
    assert not any("x[55]" in text for text in texts)  # far from every change
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert "x[40]" in page.locator("tr.at").inner_text()


def test_a_kernel_has_its_plots_and_its_resources(page: Any) -> None:
    page.goto(page.url.partition("#")[0] + "#/file/2")
    assert page.locator("svg").count() == 2
    titles = page.locator("svg circle title").all_text_contents()
    assert titles[0] == "captured: max rel 1.0e-7, max ulp 2, 0 of 100 differ"
    assert titles[1] == "n = 33: max rel 0.5, max ulp Infinity, 3 of 33 differ"
    # 1e7 operations on 8e7 bytes in 12 us
    assert titles[2] == "0.125 flop/byte, at most 0.8333 TFLOP/s"
    assert "VGPRs\t17" in page.locator(".panel", has_text="Resources").inner_text()
    assert page.locator("circle.bad").count() == 1


def test_dark_mode_is_the_systems_and_can_be_turned(page: Any) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(paper)
    assert light != dark
    page.keyboard.press("t")
    assert page.evaluate(paper) == light
    page.keyboard.press("t")
    assert page.evaluate(paper) == dark


def test_text_has_contrast_in_both_modes(page: Any) -> None:
    """4.5 to 1 for text, of WCAG 2.1."""
    script = """(scheme) => {
      document.documentElement.dataset.theme = scheme;
      const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
      const rgb = (name) => { canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim(); canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
      const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
      const ratio = (a, b) => { const [x, y] = [light(rgb(a)), light(rgb(b))].sort((p, q) => q - p); return (x + .05) / (y + .05); };
      const pairs = [['--ink', '--paper'], ['--soft', '--paper'], ['--soft', '--card'], ['--soft', '--shade'], ['--good', '--good-paper'], ['--warn', '--warn-paper'], ['--bad', '--bad-paper'], ['--plain', '--plain-paper'], ['--ink', '--add'], ['--ink', '--cut'], ['--ink', '--mark'], ['--accent', '--paper'], ['--accent-ink', '--accent']];
      return pairs.map(([a, b]) => [`${scheme} ${a} on ${b}`, ratio(a, b)]);
    }"""  # noqa: E501
    for scheme in ("light", "dark"):
        for what, ratio in page.evaluate(script, scheme):
            assert ratio >= 4.5, what


def test_hostile_names_and_sources_are_text(page: Any) -> None:
    page.fill("#search", "onerror")
    expect(page.locator("tr.row")).to_have_count(1)
    page.click("tr.row")
    expect(page.locator("h1")).to_have_text(HOSTILE)
    assert "window.hit = 1" in page.locator("table.diff").inner_text()
    assert page.locator("main img, main script, main b, main i").count() == 0


def test_a_narrow_window_scrolls_in_one_direction_only(page: Any) -> None:
    page.set_viewport_size({"width": 380, "height": 700})
    for view in ("#/", "#/files", "#/kernels", "#/person", "#/file/1"):
        page.goto(page.url.partition("#")[0] + view)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
