"""The HTML page: what is in it, that nothing of a document gets power over it, and that it works in a real browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, found

from bpconvert.cli.main import FAILED, OK, main
from bpconvert.reports import page, views

HOT = "heat_template_version: 2021-04-16\n"
HOSTILE = (
    "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
    "\"'`<!--]]>{{7*7}}</style></pre></details><svg/onload=document.title='taken'>"
)
BROWSER = found()
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no browser: apt install chromium, or BPCONVERT_BROWSER")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written() -> None:
    """A folder with documents of every kind: good, with findings, hostile, nesting another one, broken."""
    Path("in/more").mkdir(parents=True)
    files: dict[str, Any] = {
        "good": {"resources": {"net": {"type": "OS::Neutron::Net"}}},
        "odd": {
            "parameters": {"pw": {"type": "string", "hidden": True, "default": "xyzzy-1234"}},
            "resources": {
                "net": {"type": "OS::Neutron::Net", "properties": {"nam": 1}},
                "strange": {"type": "OS::Strange::Thing", "depends_on": "net"},
                "user": {
                    "type": "OS::Nova::Server",
                    "properties": {"flavor": "a", "user_data": {"get_attr": ["strange", "text"]}},
                },
                "inner": {"type": "more/inner.yaml"},
            },
            "outputs": {"text": {"value": {"get_attr": ["strange", "text"]}}},
        },
        "<i>taken<&'\"": {
            "description": HOSTILE,
            "resources": {"h": {"type": HOSTILE}, "x" + HOSTILE: {"type": HOSTILE, "properties": {HOSTILE: HOSTILE}}},
        },
        "more/inner": {"resources": {"port": {"type": "OS::Neutron::Port", "properties": {"netwrk": 1}}}},
    }
    for name, data in files.items():
        text = json.dumps({"heat_template_version": "2021-04-16", **data}, indent=0)
        Path(f"in/{name}.yaml").write_text(text)
    Path("in/bad.yaml").write_text(HOT + "resources: [\n")


@pytest.fixture
def report() -> Path:
    """The page about such a folder."""
    written()
    assert main(["hot2cfy", "in", "-o", "out", "-q", "--report", "report.html"]) == FAILED
    assert main(["hot2cfy", "in", "-o", "out", "-q", "--report", "report.json"]) == FAILED
    return Path("report.html")


def findings() -> set[tuple[str, str, int]]:
    data = json.loads(Path("report.json").read_text("utf-8"))
    return {(one["code"], one["message"], one["line"]) for entry in data["files"] for one in entry["diagnostics"]}


class Reader(HTMLParser):
    """The elements of a page, and the text in each kind."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]][-1] += data

    @property
    def ids(self) -> list[str]:
        return [str(attrs["id"]) for _, attrs in self.elements if "id" in attrs]


# -- without a browser --------------------------------------------------------------------------------------


def test_nothing_of_a_document_is_markup(report: Path) -> None:
    read = Reader(report.read_text("utf-8"))
    tags = {tag for tag, _ in read.elements}
    assert not tags & {"img", "iframe", "object", "embed", "base", "link", "video"}
    assert [tag for tag, _ in read.elements if tag in ("script", "style")] == ["style", "script"]
    names = {name for _, attrs in read.elements for name in attrs}
    assert not [name for name in names if name.startswith("on") or name in ("style", "src", "srcdoc", "action")]
    assert all(str(attrs["href"]).startswith("#") for _, attrs in read.elements if "href" in attrs)
    assert any("</script><script>" in text for text in read.texts["i"])


def test_the_policy_allows_just_its_style_and_script(report: Path) -> None:
    read = Reader(report.read_text("utf-8"))
    policy = next(str(attrs["content"]) for tag, attrs in read.elements if attrs.get("http-equiv"))
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(read.texts[tag][0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_every_link_leads_somewhere(report: Path) -> None:
    read = Reader(report.read_text("utf-8"))
    assert len(read.ids) == len({*read.ids})
    places = {str(attrs["href"])[1:] for _, attrs in read.elements if "href" in attrs}
    assert {place for place in places if "=" not in place} <= {*read.ids}
    also = {str(attrs["data-also"]) for _, attrs in read.elements if "data-also" in attrs}
    assert also <= {*read.ids}


def test_values_of_hidden_parameters_are_masked(report: Path) -> None:
    assert "xyzzy-1234" in Path("in/odd.yaml").read_text()
    assert "xyzzy-1234" not in report.read_text("utf-8")


def test_findings_stand_at_their_lines_on_both_sides(report: Path) -> None:
    text = report.read_text("utf-8")
    lines = Path("in/odd.yaml").read_text().splitlines()
    number = next(index for index, line in enumerate(lines, 1) if '"nam"' in line)
    assert re.search(
        rf'<i id="f\d+v0s{number}" class="error" data-n="{number}">&#34;nam&#34;: 1<span><a[^>]*>BPC170</a>', text
    )
    result = Path("out/odd.yaml").read_text().splitlines()
    number = next(index for index, line in enumerate(result, 1) if "strange:" in line)
    assert re.search(rf'<i id="f\d+v0t{number}" class="warning" data-n="{number}">  strange:<span><a[^>]*>BPC', text)
    assert "the source that the result keeps" in text


def test_the_same_source_gives_the_same_page(report: Path) -> None:
    before = report.read_bytes()
    main(["hot2cfy", "in", "-o", "out", "-q", "--report", "report.html"])
    assert report.read_bytes() == before


def test_a_single_document_from_standard_input_or_a_language(tmp_path: Path) -> None:
    Path("t.yaml").write_text(HOT + "resources: {n: {type: OS::Neutron::Net}}\n")
    assert main(["hot2cfy", "t.yaml", "-o", "b.yaml", "--report", "there.html"]) == OK
    assert main(["cfy2hot", "b.yaml", "-o", "c.yaml", "--report", "back.html"]) == OK
    assert main(["hot2tosca", "t.yaml", "-o", "s.csar", "--report", "archive.html"]) == OK
    assert main(["tosca2hot", "s.csar", "-o", "d.yaml", "--report", "unpacked.html"]) == OK
    for name in ("there", "back", "archive", "unpacked"):
        text = Path(f"{name}.html").read_text("utf-8")
        assert "1 of 1 file converted" in text
        assert 'aria-label="topology of' in text


def test_edits_that_the_result_keeps_are_shown() -> None:
    text = HOT + "resources: {n: {type: OS::Neutron::Net, properties: {name: first}}}\n"
    Path("t.yaml").write_text(text + "outputs: {o: {value: one}}\n")
    main(["hot2cfy", "t.yaml", "-o", "b.yaml", "-q"])
    made = Path("b.yaml")
    made.write_text(made.read_text().replace("name: first", "name: edited by hand", 1))
    Path("t.yaml").write_text(text + "outputs: {o: {value: two}}\n")
    assert main(["hot2cfy", "t.yaml", "-o", "b.yaml", "-q", "--report", "r.html"]) == OK
    assert "edited by hand" in made.read_text()
    assert "name: edited by hand" in Path("r.html").read_text("utf-8")


def test_who_may_not_read_an_environment_may_not_read_the_report() -> None:
    Path("t.yaml").write_text(HOT + "parameters: {a: {type: string}}\n")
    Path("env.yaml").write_text("parameter_defaults: {a: private}\n")
    Path("env.yaml").chmod(0o600)
    assert main(["hot2cfy", "t.yaml", "-e", "env.yaml", "-o", "b.yaml", "-q", "--report", "r.html"]) == OK
    assert Path("r.html").stat().st_mode & 0o777 == 0o600


def test_what_is_long_is_shown_near_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"  n{number}: {{type: OS::Neutron::Net}}" for number in range(300)]
    lines[150] = "  odd: {type: OS::Strange::Thing}"
    Path("t.yaml").write_text(HOT + "resources:\n" + "\n".join(lines) + "\n")
    monkeypatch.setattr(page, "LONGEST", 5000)
    main(["hot2cfy", "t.yaml", "-o", "b.yaml", "-q", "--report", "r.html"])
    text = Path("r.html").read_text("utf-8")
    assert "no findings here: 148 lines" in text
    assert 'id="f0v0s153"' in text
    assert text.count("data-n=") < 40
    assert "bpconvert graph draws it" not in text


def test_an_excerpt() -> None:
    lines = [views.Line(number, "x", [1] if number in (5, 8) else []) for number in range(1, 21)]
    found = views.excerpt(lines, 1)
    assert [(line.number, line.skipped) for line in found] == [
        (0, 3), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (0, 11),
    ]  # fmt: skip


def test_the_end_of_a_tree_names_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    written()
    main(["hot2cfy", "in", "-o", "out", "--report", "report.html"])
    assert capsys.readouterr().err.endswith("bpconvert: the report is report.html\n")


# -- in a browser -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert BROWSER is not None
    one = Browser(BROWSER)
    yield one
    one.close()


SHOWN = "document.querySelector('.filter output').textContent"
VISIBLE = """[...document.querySelectorAll('.finding')].filter(one => !one.closest('[hidden]')).filter(
    one => !one.querySelector(':scope > .own.dim')).map(one => one.dataset.code)"""


@needs_browser
def test_every_finding_is_shown(browser: Browser, report: Path) -> None:
    browser.messages.clear()
    browser.open(report)
    rows = browser.run("""[...document.querySelectorAll('.finding > .own')].map(own => [
        own.querySelector('a').textContent, own.querySelector('.text').textContent,
        own.querySelector('.places').textContent])""")
    for code, message, line in findings():
        assert [row for row in rows if row[0] == code and message in row[1] and f"line {line}," in row[2]]
    assert browser.run(SHOWN) == f"{len(rows)} of {len(rows)} findings in 5 files"
    for name in ("good", "odd", "bad", "inner"):
        assert browser.run(f"[...document.querySelectorAll('.file')].some(f => f.dataset.name.includes('{name}'))")
    assert browser.messages == []


@needs_browser
def test_hostile_texts_are_inert(browser: Browser, report: Path) -> None:
    browser.messages.clear()
    browser.open(report)
    assert browser.run("document.title") == "bpconvert hot2cfy: 5 files"
    assert browser.run("document.querySelectorAll('script').length") == 1
    assert browser.run("[...document.querySelectorAll('.pane i')].some(i => i.textContent.includes('<img src=x'))")
    assert browser.run("[...document.querySelectorAll('.graph text')].some(t => t.textContent.includes('</scr'))")
    # what gets in all the same is not run: the policy of the page
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    browser.run("new Promise(done => setTimeout(done, 200))")
    assert browser.run("document.title") == "bpconvert hot2cfy: 5 files"
    assert "Content Security Policy" in "".join(browser.messages)


@needs_browser
def test_filters(browser: Browser, report: Path) -> None:
    browser.open(report, "code=BPC170")
    codes = browser.run(VISIBLE)
    assert codes
    assert {*codes} == {"BPC170"}
    assert browser.run(SHOWN).startswith(f"{len(codes)} of ")
    browser.open(report, "severity=error")
    assert browser.run("document.querySelector('[name=error]').checked")
    assert {one["severity"] for one in shown_as(browser)} == {"error"}
    browser.open(report, "file=odd&q=strange")
    assert browser.run("[...document.querySelectorAll('.file:not([hidden])')].map(f => f.dataset.name)") == [
        "in/odd.yaml"
    ]
    assert all("strange" in one["text"].lower() for one in shown_as(browser))
    # by hand, and the address remembers it
    browser.open(report)
    browser.run("""(() => { const box = document.querySelector('[name=code]'); box.value = 'BPC101';
        box.dispatchEvent(new Event('input', {bubbles: true})); })()""")
    assert {*browser.run(VISIBLE)} == {"BPC101"}
    assert browser.run("location.hash") == "#code=BPC101"
    browser.run("document.querySelector('.filter [type=reset]').click()")
    browser.run("new Promise(done => setTimeout(done, 50))")
    assert len(browser.run(VISIBLE)) == browser.run("document.querySelectorAll('.finding').length")
    assert browser.run("location.hash") == ""


def shown_as(browser: Browser) -> list[dict[str, str]]:
    found: list[dict[str, str]] = browser.run("""[...document.querySelectorAll('.finding')]
        .filter(one => !one.closest('[hidden]') && !one.querySelector(':scope > .own.dim'))
        .map(one => ({severity: one.dataset.severity, text: one.querySelector('.own').textContent}))""")
    assert found
    return found


@needs_browser
def test_links_open_what_they_lead_to(browser: Browser, report: Path) -> None:
    for selector in (
        ".finding[data-code=BPC170] .places a", ".finding[data-code=BPC170] .places span:last-child a", ".where a",
        ".first a", ".pane i a", ".graph a", ".codes a.plain", ".own > span > a",
    ):  # fmt: skip
        browser.open(report)
        assert browser.run(FOLLOW % selector), selector


#: click on the first such link; whether the place that it leads to is in the window then
FOLLOW = """(() => {
    const click = new MouseEvent('click', {bubbles: true, cancelable: true});
    document.querySelector('%s').dispatchEvent(click);
    return new Promise(done => setTimeout(() => {
        const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const box = place.getBoundingClientRect();
        done(place.checkVisibility() && box.bottom > 0 && box.top < innerHeight);
    }, 150));
})()"""


@needs_browser
def test_keys(browser: Browser, report: Path) -> None:
    browser.open(report, "f0")
    browser.press("/")
    assert browser.run("document.activeElement.name") == "q"
    browser.press("Escape")
    browser.run("document.querySelectorAll('.file').forEach(file => file.open = true)")
    browser.press("n")
    assert browser.run("document.activeElement.closest('.finding').id") == browser.run(
        "document.querySelector('.finding').id"
    )
    browser.press("Tab")
    assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@needs_browser
def test_light_and_dark(browser: Browser, report: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = []
    for dark in (False, True):
        browser.look(1280, dark)
        browser.open(report)
        seen.append(browser.run(ground))
    assert seen == ["rgb(255, 255, 255)", "rgb(18, 21, 27)"]
    browser.press("t")
    assert browser.run(ground) == seen[0]
    assert "light" in browser.run("document.querySelector('#theme').textContent")
    browser.press("t")
    browser.press("t")
    assert "automatic" in browser.run("document.querySelector('#theme').textContent")


@needs_browser
def test_a_narrow_window(browser: Browser, report: Path) -> None:
    for width in (360, 800, 1400):
        browser.look(width)
        browser.open(report)
        browser.run("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert browser.run("document.documentElement.scrollWidth") <= width


@needs_browser
def test_without_scripts_all_is_there(browser: Browser, report: Path) -> None:
    text = re.sub(r"<script>.*?</script>", "", report.read_text("utf-8"), flags=re.DOTALL)
    plain = Path("plain.html")
    plain.write_text(text)
    browser.look(1280)
    browser.open(plain)
    assert not browser.run("document.querySelector('.filter').checkVisibility()")
    assert browser.run("[...document.querySelectorAll('.file')].every(file => file.checkVisibility())")
    assert browser.run("document.querySelectorAll('.finding[hidden], .file[hidden]').length") == 0
