"""The image: built from the source distribution by the Containerfile, on a base made from packages
of Debian, and run as compose.yaml says, as far as that goes without an engine."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from packages import MEGABYTE, ROOT, unpack
from server.running import OURS, free_port, introduced, open_table
from server.table_client import connected, play_out

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not (shutil.which("buildah") and shutil.which("mmdebstrap") and os.geteuid() == 0),
        reason="no buildah, no mmdebstrap (python -m tools.services --long) or no root",
    ),
]
#: What Debian's Python lacks, beside a compiler, where the official image of Python has it.
PYTHON = "python3-venv python3-dev"
#: Whom this machine trusts; the pip of Debian brings a list of its own.
TRUSTED = "/etc/ssl/certs/ca-certificates.crt"


class Images:
    """Images in a folder of their own."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.folder, self.source = folder, source
        pip = folder / "pip.conf"
        pip.write_text("[global]\ncert = /etc/pip.crt\n", encoding="utf-8")
        self._given = [f"--volume={pip}:/etc/pip.conf:ro", f"--volume={TRUSTED}:/etc/pip.crt:ro"]
        base = folder / "base.tar"
        release = platform.freedesktop_os_release()["VERSION_CODENAME"]
        debian = ["mmdebstrap", "--quiet", "--variant=apt", "--include=python3,passwd"]
        subprocess.run([*debian, release, str(base)], check=True, capture_output=True)
        container = self("from", "scratch")
        self("add", container, str(base), "/")
        # As the official image has it.
        pip = folder / "local" / "lib" / "python3.13" / "site-packages" / "pip"
        pip.mkdir(parents=True)
        self("add", container, str(folder / "local"), "/usr/local")
        self("commit", "--quiet", container, "base")

    def __call__(self, *words: str) -> str:
        store = [f"--root={self.folder}/store", f"--runroot={self.folder}/run"]
        command = ["buildah", *store, "--storage-driver=vfs", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout.strip()

    def build(self, compiler: str) -> None:
        """Build the image ``rage`` with some packages in its first stage."""
        how = ["--isolation=chroot", "--format=docker", "--tag=rage", *self._given]
        asked = ["--from=localhost/base", f"--build-arg=COMPILER={compiler} {PYTHON}"]
        ignored = f"--ignorefile={self.source}/.dockerignore"
        self(
            "build", *how, *asked, ignored, f"--file={self.source}/Containerfile", str(self.source)
        )

    def mounted(self, name: str) -> Path:
        """The root of a container of an image."""
        return Path(self("mount", self("from", name)))


@pytest.fixture(scope="module")
def images(distribution: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Images]:
    folder = tmp_path_factory.mktemp("image")
    made = Images(folder, unpack(distribution, folder))
    yield made
    made("umount", "--all")
    shutil.rmtree(folder / "store")


@pytest.fixture(scope="module")
def root(images: Images) -> Path:
    """The root of a container."""
    images.build("gcc libc6-dev")
    return images.mounted("rage")


def size(folder: Path) -> int:
    """What the files of a folder take together."""
    return sum(each.lstat().st_size for each in folder.rglob("*") if not each.is_dir())


def test_it_is_small_and_has_nothing_that_only_builds(images: Images, root: Path) -> None:
    assert size(root) - size(images.mounted("base")) < 100 * MEGABYTE
    there = {
        each.name
        for place in ("usr/bin", "bin", "opt/rage/bin")
        for each in (root / place).iterdir()
    }
    assert {"python3", "rage"} <= there
    assert not {"gcc", "cc", "node", "npm", "pip", "pip3"} & there
    assert not [*root.rglob("pip")]
    assert not (root / "source").exists()
    assert [*root.glob("opt/rage/lib/*/site-packages/rage/engine/kernel.*.so")]


def test_it_serves_a_game_from_a_root_that_nobody_can_write_to(
    images: Images, root: Path, tmp_path: Path
) -> None:
    """As its user, with nothing but the volume and ``/tmp``; and ends when it is asked to."""
    made: dict[str, Any] = json.loads(images("inspect", "--type=image", "rage"))["Docker"]["config"]
    assert made["Labels"]["org.opencontainers.image.licenses"] == "MIT"
    assert [*made["Volumes"]] == ["/data"]
    service = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]["one"]
    assert service["read_only"]
    port = str(free_port())
    command = [re.sub(r"\$\{NAME:\?\}", "localhost", each) for each in service["command"]]
    inside = ["chroot", f"--userspec={made['User']}", str(root), "env", "-i", *made["Env"]]
    (tmp_path / "data").mkdir()
    shutil.chown(tmp_path / "data", int(made["User"]))
    mounts = (
        f"mount --bind {root} {root}", f"mount -o remount,bind,ro {root}",
        f"mount -t tmpfs none {root}/tmp", f"mount --bind {tmp_path}/data {root}/data",
        f"mount --rbind /dev {root}/dev", f"mount --rbind /proc {root}/proc", 'exec "$@"',
    )  # fmt: skip
    alone = ["unshare", "--mount", "sh", "-c", " && ".join(mounts), "sh", *inside]
    process = subprocess.Popen(
        [*alone, *made["Entrypoint"], "--port", port, *command], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert any("Ctrl-C" in line for line in process.stdout), "it ended"
        check = [each.replace("7243", port) for each in made["Healthcheck"]["Test"][1:]]
        subprocess.run([*inside, *check], check=True)
        url = f"http://localhost:{port}"
        with httpx.Client(base_url=url, headers=OURS) as client:
            ann = introduced(client, "Ann")
            code = open_table(ann, "poof+schedule:1", 2, bots=["hard"], start=True)
            asyncio.run(played_out(url, code, ann))
        assert (tmp_path / "data" / "tables.sqlite").stat().st_uid == int(made["User"])
    finally:
        process.terminate()
        process.communicate(timeout=15)
    assert process.returncode == 0


async def played_out(url: str, code: str, who: httpx.Client) -> None:
    async with connected(url, code, who) as guest:
        await play_out([guest], Random(1))


def test_without_a_compiler_it_is_not_built(images: Images) -> None:
    with pytest.raises(AssertionError, match="RAGE_COMPILED is set"):
        images.build("")
