"""A PostgreSQL for tests and benchmarks: a cluster in a temporary folder, with a schema for each
store."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import asyncpg

#: Only part of the name of its socket.
PORT: Final = 5432


class Cluster:
    """A PostgreSQL server that listens on a socket in its own folder. ``program``: the path of
    ``postgres``; ``settings``: changes to a default installation; ``replica_of``: another server,
    which this one follows."""

    def __init__(self, program: str, *settings: str, replica_of: Cluster | None = None) -> None:
        self.bin = Path(program).resolve().parent
        self._settings = " ".join(f"-c {each}" for each in settings)
        self.folder = Path(tempfile.mkdtemp(prefix="rage-postgres-"))
        # PostgreSQL refuses to run as root.
        self.user = "nobody" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        self.data = self.folder / "data"
        if replica_of is None:
            self.call("initdb", "-D", self.data, "-U", "rage", "-A", "trust", "-E", "UTF8",
                      "--no-sync", "--locale=C")  # fmt: skip
        else:
            self.call("pg_basebackup", "-h", replica_of.folder, "-p", PORT, "-U", "rage",
                      "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync")  # fmt: skip
        self.start()

    def call(self, program: str, *words: object) -> None:
        """Run one of its programs, and wait for it to finish."""
        subprocess.run(
            [self.bin / program, *map(str, words)], user=self.user, cwd=self.folder, check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-k {self.folder} -h '' -p {PORT} {self._settings}"
        log = self.folder / "log"
        self.call("pg_ctl", "-D", self.data, "-l", log, "-w", "-o", options, "start")

    @property
    def pid(self) -> int:
        """The ID of its main process, whose children do the work."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def promote(self) -> None:
        """Make a replica the primary."""
        self.call("pg_ctl", "-D", self.data, "-w", "promote")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; ``immediate`` is like a power cut."""
        self.call("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    async def set(self, name: str, value: str) -> None:
        """Change a setting while it runs."""
        connection = await asyncpg.connect(self._url)
        await connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        await connection.execute("SELECT pg_reload_conf()")
        await connection.close()

    @property
    def _url(self) -> str:
        return f"postgresql://rage@/postgres?host={self.folder}&port={PORT}"

    async def cut(self, url: str) -> None:
        """End the connections of all servers, including listening ones."""
        connection = await asyncpg.connect(url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        await connection.close()

    async def url(self, schema: str) -> str:
        """The address of a schema, which is created if needed."""
        base = self._url
        connection = await asyncpg.connect(base)
        schema = schema.lower()  # which is how PostgreSQL reads the name in the address
        await connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        await connection.close()
        return f"{base}&search_path={schema}"

    def end(self) -> None:
        """Stop it if it is running, and remove all its files."""
        if (self.data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)
