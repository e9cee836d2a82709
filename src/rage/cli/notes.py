"""Notes on the error output, and whether they have been shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rage.bots.titles import notes_on
from rage.engine.kernel import COMPILED
from rage.rules.editions import ruleset
from rage.say import text

#: In the data folder, once the note about the compiler has been said.
_SAID: Final = ".compiler-noted"


def uncompiled_note(language: str, folder: Path) -> str | None:
    """A note that Rage is slower because it was installed without a C compiler. ``None`` if it was
    compiled, or if the note has been shown before with this data folder."""
    if COMPILED:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / _SAID).touch(exist_ok=False)
    except FileExistsError:
        return None
    except OSError:  # then it is shown again the next time
        pass
    return text("cli.uncompiled", language)


def note_bots(bots: Iterable[str], rules: str, language: str) -> None:
    """Print who plays for some of these bots by the rules of this name."""
    for each in notes_on(bots, ruleset(rules), language):
        print(each, file=sys.stderr)
