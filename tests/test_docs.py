"""The programs in the documents run, and print what the documents say.

A fenced `python` block that imports something at its first level is a whole program; others
are parts of one, for reading. A `text` block that follows it directly is what it prints.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import trueasync

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
EVENTS = ROOT / "docs" / "reference" / "events"
HEADINGS = ["What", "Example", "Does it suspend?", "Errors"]

BLOCK = re.compile(
    r"^```python\n(.*?)^```\n(?:\s*^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)


def programs():
    for path in DOCUMENTS:
        text = path.read_text()
        for block in BLOCK.finditer(text):
            if re.search(r"^(import|from) ", block[1], re.MULTILINE):
                line = text.count("\n", 0, block.start()) + 1
                name = f"{path.relative_to(ROOT).as_posix()}:{line}"
                yield pytest.param(block[1], block[2], id=name)


@pytest.mark.parametrize(("program", "printed"), list(programs()))
def test_a_program_in_the_documents_runs_as_they_say(program, printed, tmp_path):
    script = tmp_path / "example.py"
    script.write_text(program)

    ran = subprocess.run(
        [sys.executable, "-W", "error", script],
        env={**os.environ, "PYTHONPATH": str(Path(trueasync.__file__).parent.parent)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=50,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    if printed is not None:
        assert ran.stdout == printed


def reference_pages():
    pages = ROOT.glob("docs/reference/**/*.md")
    return sorted(path for path in pages if path.name != "README.md")


@pytest.mark.parametrize("page", reference_pages(), ids=lambda page: page.stem)
def test_a_reference_page_has_the_headings_all_have(page):
    headings = re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE)

    assert headings == HEADINGS


@pytest.mark.parametrize("page", reference_pages(), ids=lambda page: page.stem)
def test_the_example_of_a_reference_page_is_a_whole_program(page):
    example = page.read_text().partition("## Example")[2].partition("## Does")[0]
    block = BLOCK.search(example)

    assert block
    assert re.search(r"^(import|from) ", block[1], re.MULTILINE)


def test_the_index_of_events_names_every_page():
    pages = {path.name for path in EVENTS.glob("*.md")} - {"README.md"}

    linked = re.findall(r"\]\((\w+\.md)\)", (EVENTS / "README.md").read_text())

    assert sorted(linked) == sorted(pages)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_links_to_is_there(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)

    assert [link for link in links if not (path.parent / link).exists()] == []
