"""The data folder, and the lock that keeps other servers out of it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rage.files import InUse, lock, system_reason
from rage.say import NotAllowed

#: The file that a server locks in its data folder.
LOCK: Final = "server.lock"


def is_locked(folder: Path) -> bool:
    """Whether a server uses a data folder."""
    file = folder / LOCK
    if not file.exists():  # it would be created
        return False
    try:
        with lock(file):
            return False
    except InUse:
        return True
    except OSError:  # locking is impossible here, so assume that it is
        return True


@contextlib.contextmanager
def lock_folder(folder: Path, url: str) -> Iterator[None]:
    """Lock a data folder for this server, creating it if needed. A second server's error names the
    ``url`` of this one. The system releases the lock however the process ends. Raises
    :class:`rage.NotAllowed` if the folder can't be used, or another server uses it."""
    with contextlib.ExitStack() as stack:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = stack.enter_context(lock(folder / LOCK))
            file.truncate(0)
            os.write(file.fileno(), url.encode())  # closing would repeat a failed write
        except InUse as other:
            there = other.said
            raise NotAllowed("serve.folder_in_use", folder=str(folder), url=there) from None
        except OSError as error:
            why = system_reason(error)
            raise NotAllowed("serve.folder", folder=str(folder), reason=why) from None
        yield
