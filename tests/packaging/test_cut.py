"""The modules that the folder without a server carries: found by their imports, not by a run."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tools.alone.inside import Sources, follow

MODULES = {
    "rage/__init__.py": "",
    "rage/home.py": """
from __future__ import annotations
import json, sys
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import only_types
if sys.platform == "win32":
    import only_windows
def later():
    from rage.lazy import thing
    import nowhere
""",
    "rage/lazy/__init__.py": "from . import near\nfrom .near import far",
    "rage/lazy/near.py": "from ..other import *",
    "rage/other.py": "import heavy.inner",
    "rage/unused.py": "",
    "heavy/__init__.py": "",
    "heavy/inner.py": "import json.tool",
    "json/__init__.py": "",
    "json/tool.py": "if __name__ == '__main__':\n    import only_commands",
    "only_types.py": "",
    "only_windows.py": "",
    "only_commands.py": "",
}


def sources(tmp_path: Path) -> Sources:
    path = tmp_path / "sources.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in MODULES.items():
            archive.writestr(name, text)
    return Sources([str(path)])


def test_every_import_is_followed_also_one_that_comes_late(tmp_path: Path) -> None:
    needed, left, nowhere = follow(sources(tmp_path), ["rage.home"], [])
    assert needed == {
        "rage", "rage.home", "rage.lazy", "rage.lazy.near", "rage.other",
        "heavy", "heavy.inner", "json", "json.tool",
    }  # fmt: skip
    assert left == set()
    assert nowhere["nowhere"] == ["rage.home"]


def test_what_is_left_out_is_left_out_with_all_below(tmp_path: Path) -> None:
    needed, left, _ = follow(sources(tmp_path), ["rage.home"], ["heavy", "json.tool", "absent"])
    assert not any(name.startswith(("heavy", "json.tool")) for name in needed)
    assert left == {"heavy"}
