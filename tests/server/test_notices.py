"""The operator's own texts, on every page."""

from __future__ import annotations

from pathlib import Path

import pytest

from rage.cli import main
from server.conftest import Launch


def test_every_page_links_to_the_texts_of_the_operator(launch: Launch, tmp_path: Path) -> None:
    file = tmp_path / "privacy.md"
    file.write_text("# Data\n\n<script>x</script> me@x.org")
    (tmp_path / "privacy.de.md").write_text("Daten")
    running = launch("--privacy", str(file), "--imprint", 'https://club.example/?a="b')
    client = running.nobody()
    for path in ("/", "/t/abcdefgh", "/sheet", "/judge", "/settings"):
        page = client.get(path).text
        assert '<meta name="rage-privacy" content="/privacy" />' in page
        assert '<meta name="rage-imprint" content="https://club.example/?a=&quot;b" />' in page
    shown = client.get("/privacy")
    assert "<h1>Data</h1>" in shown.text
    assert "&lt;script&gt;x&lt;/script&gt;" in shown.text
    assert 'href="mailto:me@x.org"' in shown.text
    assert "script-src 'self'" in shown.headers["content-security-policy"]
    assert "Daten" in client.get("/privacy", headers={"accept-language": "de"}).text


@pytest.mark.parametrize(
    "given",
    [
        "javascript:alert(1)", "http://", "http://:80", "http://[x", "https://[::1/privacy",
        "http://x:99999", "http://℀", "no/such/file", ".",
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_shown_is_refused(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", "en", "serve", "--privacy", given, "--data", str(tmp_path)]) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "--privacy" in line
