"""The folder of a simulation: a file that describes it, and a folder for each table, in which every
part is a file, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from rage.arena.data.parquet import Part, described, told_by
from rage.arena.data.schema import TABLES
from rage.arena.data.simulation import Simulation
from rage.files import InUse, lock, write_file
from rage.say import NotAllowed, NotReadable

#: The file that describes the simulation.
HEAD: Final = "simulation.json"
#: The folder with the checksums of the parts.
SUMS: Final = "sums"
#: The mode of new files, before the user's mask.
_MODE: Final = 0o666


class Folder:
    """An open folder of a simulation of ``games`` games. Raises :class:`rage.NotAllowed` if it has
    more."""

    def __init__(self, path: Path, simulation: Simulation, wide: bool, games: int) -> None:
        self.path = path
        self._simulation = simulation
        self._told = described(simulation, wide)
        self._games = games
        #: The digests of the complete parts, by number.
        self._digests: dict[int, str] = {}
        for table in (*TABLES, SUMS):
            for torn in (path / table).glob("*.part"):  # left by a killed process
                torn.unlink()
        for file in sorted((path / "games").glob("part-*.parquet")):
            self._note(file)

    @property
    def parts(self) -> int:
        """The number of parts that the simulation is written in."""
        return -(-self._games // self._simulation.part_games)

    def games_in(self, number: int) -> int:
        """The number of games in a part."""
        size = self._simulation.part_games
        return min(size, self._games - number * size)

    @property
    def missing(self) -> list[int]:
        """The numbers of the parts that are missing or damaged, or have too few games."""
        return [number for number in range(self.parts) if number not in self._digests]

    @property
    def digest(self) -> str:
        """The SHA-256 of the digests of all parts in order, once none is missing."""
        digests = (self._digests[number] for number in range(self.parts))
        return sha256("\n".join(digests).encode()).hexdigest()

    def save(self, part: Part) -> None:
        """Write the files of a part. Raises ``OSError``."""
        for table in TABLES:
            write_file(self._file(table, part.number), part.files[table], _MODE)
        # Last, because it makes the part complete.
        sums = "".join(f"{sha256(part.files[table]).hexdigest()}\n" for table in TABLES)
        write_file(self._sums(part.number), sums.encode(), _MODE)
        self._digests[part.number] = part.digest

    def _file(self, table: str, number: int) -> Path:
        return self.path / table / f"part-{number:05}.parquet"

    def _sums(self, number: int) -> Path:
        """The file with the SHA-256 of each file of a part."""
        return self.path / SUMS / f"part-{number:05}.txt"

    def _is_whole(self, number: int) -> bool:
        """Whether the files of a part match their checksums."""
        try:
            due = self._sums(number).read_text("utf-8", "replace")
            files = [self._file(table, number).read_bytes() for table in TABLES]
        except OSError:
            return False
        return due == "".join(f"{sha256(each).hexdigest()}\n" for each in files)

    def _note(self, file: Path) -> None:
        """Note a part if its files are whole and it has all of its games."""
        told = told_by(file)
        if told is None or not self._told.items() <= told.items():
            return
        first, games = int(told["first"]), int(told["games"])
        if first + games > self._games:
            raise NotAllowed("data.folder.more", folder=str(self.path), given=self._games)
        number = first // self._simulation.part_games
        if self._is_whole(number) and games == self.games_in(number):
            self._digests[number] = str(told["digest"])


@contextlib.contextmanager
def open_folder(path: Path, simulation: Simulation, wide: bool, games: int) -> Iterator[Folder]:
    """Open the folder of a simulation, which is locked meanwhile, and created if there is none.
    Raises :class:`rage.NotAllowed` for the folder of another simulation or one in use,
    :class:`rage.NotReadable` for any other that is not empty, and ``OSError``."""
    head = path / HEAD
    if path.is_dir() and not head.exists() and any(path.iterdir()):
        raise NotReadable("data.folder.other_files", folder=str(path))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, "not a folder") from None
    try:
        with lock(head) as file:
            _check_head(file, described(simulation, wide), str(path))
            yield Folder(path, simulation, wide, games)
    except InUse:
        raise NotAllowed("data.folder.in_use", folder=str(path)) from None


def _check_head(file: IO[bytes], mine: dict[str, Any], folder: str) -> None:
    """Describe the simulation in a new folder. Raises :class:`rage.NotReadable` and
    :class:`rage.NotAllowed` unless an old one has the same description."""
    file.seek(0)
    data = file.read()
    line = (json.dumps(mine) + "\n").encode()
    if line.startswith(data):  # new, or cut off
        file.truncate(0)
        file.write(line)
        file.flush()
        return
    try:
        told = json.loads(data)
        said = {key: told[key] for key in ("rules", "players", "seed", "rage")}
        said["bots"] = " ".join(map(str, told["bots"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotReadable("data.folder.no_simulation", folder=folder) from None
    if told == mine:
        return
    if told | {"network": None} == mine | {"network": None}:
        raise NotAllowed("data.folder.other_network", folder=folder)
    if told | {"wide": None} == mine | {"wide": None}:
        raise NotAllowed(
            "data.folder.wide" if told.get("wide") else "data.folder.not_wide", folder=folder
        )
    raise NotAllowed("data.folder.other", folder=folder, **said)
