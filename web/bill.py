"""The npm packages that are part of the page, for a bill of materials in CycloneDX format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def bill_of(name: str, version: str, packages: Iterable[dict[str, str]]) -> dict[str, Any]:
    """The bill of what consists of packages alone, as Vite lists them."""
    bill: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "metadata": {
            "component": {"bom-ref": name, "type": "application", "name": name, "version": version}
        },
        "components": [],
        "dependencies": [{"ref": name}],
    }
    add(bill, packages)
    return bill


def add(bill: dict[str, Any], packages: Iterable[dict[str, str]]) -> None:
    """Add packages that are part of what a bill describes."""
    made = [_component(each) for each in packages]
    bill["components"] += made
    root = bill["metadata"]["component"]["bom-ref"]
    (tree,) = (each for each in bill["dependencies"] if each["ref"] == root)
    tree["dependsOn"] = sorted({*tree.get("dependsOn", []), *(each["bom-ref"] for each in made)})
    bill["dependencies"] += [{"ref": each["bom-ref"]} for each in made]


def _component(package: dict[str, str]) -> dict[str, Any]:
    """The component of a package listed by Vite, from npm unless it says otherwise."""
    name, version = package["name"], package["version"]
    address = package.get("purl") or f"pkg:npm/{name.replace('@', '%40')}@{version}"
    identifier = package["identifier"]
    named = {"expression": identifier} if " " in identifier else {"license": {"id": identifier}}
    found = {
        "bom-ref": address,
        "type": "library",
        "name": name,
        "version": version,
        "purl": address,
        "licenses": [named],
    }
    return {key: value for key, value in found.items() if value}
