"""The licences of a folder's components: ``licenses.json``, which Vite begins for the page."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).resolve().parent
FILE: Final = "licenses.json"
#: The components from PyPI and npm; all others are generic.
_PYPI: Final = ("msgspec",)
_NPM: Final = ("pyodide",)


def add_components(folder: Path, versions: Mapping[str, str]) -> None:
    """Add Python's components to the packages of the page. ``versions``: those of the build, by
    name."""
    data = tomllib.loads((_HERE / "components.toml").read_text(encoding="utf-8"))
    texts = {**data["texts"], "PSF-2.0": (_HERE / "psf.txt").read_text(encoding="utf-8")}
    path = folder / FILE
    packages = json.loads(path.read_text(encoding="utf-8"))
    for each in data["component"]:
        name, identifier, within = each["name"], each["identifier"], each.get("within")
        version = versions[within] if within else versions.get(each["version"], each["version"])
        kind = "pypi" if name in _PYPI else "npm" if name in _NPM else "generic"
        source = each["source"].format(version=version)
        packages.append(
            {
                "name": name,
                "version": f"as in {within} {version}" if within else version,
                "identifier": identifier,
                "purl": f"pkg:{kind}/{name}" + ("" if within else f"@{version}"),
                "text": "\n\n".join(
                    text.strip() for text in (source, each["notice"], texts[identifier])
                ),
            }
        )
    path.write_text(json.dumps(packages, indent=2) + "\n", encoding="utf-8")
