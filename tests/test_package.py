"""The names of the package itself, each loaded when it is first used."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import traceback
from pathlib import Path
from zipfile import ZipFile

import pytest

import rage
from rage import notation

#: In a process of its own, in which nobody has used any of them.
FRESH = """
import rage, sys
assert "rage.game.game" not in sys.modules
print(*[name for name in rage.__all__ if name not in dir(rage)])
assert "rage.game.game" not in sys.modules
"""


def test_dir_names_everything_before_it_is_used() -> None:
    said = subprocess.run([sys.executable, "-c", FRESH], check=True, capture_output=True, text=True)
    assert said.stdout.split() == []


def test_every_name_is_there() -> None:
    assert all(getattr(rage, name) is not None for name in rage.__all__)
    assert dir(rage) == sorted(set(dir(rage)))


def test_an_error_is_called_as_users_import_it() -> None:
    for error in (rage.NotAllowed("undo.nothing"), rage.NotReadable("seed.empty")):
        assert traceback.format_exception_only(error)[0].startswith(
            f"rage.{type(error).__name__}: "
        )
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.reason) == (type(error), error.reason)
    with pytest.raises(notation.NotARecord) as caught:
        rage.read_record("{}")
    assert traceback.format_exception_only(caught.value)[0].startswith("rage.notation.NotARecord: ")


#: What an archive of the package must be good for: sentences, lessons, networks, commands.
ZIPPED = """
import rage
game = rage.Game("poof", 2, seed=b"x")
assert rage.__file__.startswith({archive!r}), rage.__file__
print(game.why_not(rage.Move("R15")))
print(rage.Reason("sheet.hand", {{"n": 3}}).sentence("ar"))
print(rage.Reason("account.tricks", {{"n": 3}}).sentence("ar"))
assert all(language.isalpha() for language in rage.say.LANGUAGES)
print(game.why_not(rage.Move("R15")).sentence("ar"))
from rage.bots import bot
from rage.learn import open_scene
print(open_scene("follow", "poof").names[1], bot("easy", 1).choose(game.view(game.to_act)))
from rage.cli import main
main(["rules", "amigo", "--lang", "en"])
main(["replay", "sample", "--lang", "en"])
"""


def test_it_runs_from_a_zip(tmp_path: Path) -> None:
    archive = tmp_path / "rage.zip"
    with ZipFile(archive, "w") as file:
        for each in Path(rage.__file__).parent.rglob("*"):
            if each.suffix in (".py", ".pxd", ".json", ".safetensors") and "page" not in each.parts:
                file.write(each, Path("rage", each.relative_to(Path(rage.__file__).parent)))
        # One more language, which is this file and nothing else.
        file.write(Path(__file__).with_name("words") / "ar.json", "rage/locale/ar.json")
        file.writestr("rage/locale/ar.json~", "what an editor leaves")
    environment = {**os.environ, "PYTHONPATH": str(archive), "RAGE_SLOW_BOTS": "1"}
    said = subprocess.run(
        [sys.executable, "-c", ZIPPED.format(archive=str(archive))],
        check=True, capture_output=True, text=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    bid = "Bids come first: bid 0 to 10."
    assert said.stdout.startswith(f"{bid}\n3 أوراق\n3 tricks\n{bid}\nAda ")
    assert "Rage (AMIGO 00990)" in said.stdout
    assert "Ben wins the game" in said.stdout
