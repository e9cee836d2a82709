"""The addresses at which other devices find this machine, and QR codes for them."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rage.cli.commands import serve
from rage.server import network
from rage.server.config import Config
from server.running import PATIENCE, wait_until

HOME, TUNNEL, BRIDGE = "192.168.178.23", "10.8.0.6", "172.17.0.1"


def test_addresses_that_are_refused_are_not_offered() -> None:
    named = Config(Path(), host="", allowed_hosts=("cards.example.org",))
    assert network.addresses(named) == []
    assert network.addresses(
        Config(Path(), host="cards.example.org", allowed_hosts=("cards.example.org",))
    )


@pytest.mark.parametrize(
    ("found", "listed"),
    [
        ("tun0 10.8.0.6, docker0 172.17.0.1, wlan0 192.168.178.23", [HOME, TUNNEL, BRIDGE]),
        ("wg0 192.168.9.9, en0 10.1.2.3", ["10.1.2.3", "192.168.9.9"]),
        ("WireGuard_Tunnel 10.8.0.6, Intel(R)_Wi-Fi_6 192.168.178.23", [HOME, TUNNEL]),
        ("eth0 203.0.113.5, eth1 172.16.0.5, eth2 10.0.0.5",
         ["10.0.0.5", "172.16.0.5", "203.0.113.5"]),
        ("eth0 192.168.1.5, wlan0 192.168.1.6", ["192.168.1.6", "192.168.1.5"]),
        ("lo 127.0.0.1, lo ::1, lo 192.168.178.23", [HOME]),
        ("eth0 192.168.178.23, eth0 2001:db8::5, eth0 fe80::5", [HOME]),
        ("docker0 172.17.0.1, eth0 2a00::5, eth0 fd00::5", ["fd00::5", "2a00::5", BRIDGE]),
        ("eth0 169.254.3.4, eth0 fe80::1", ["169.254.3.4"]),
        ("eth0 169.254.3.4, wlan0 192.168.178.23", [HOME]),
        ("eth0 0.0.0.0, eth0 fe80::1%eth0", []),
    ],
)  # fmt: skip
def test_the_likeliest_address_comes_first(found: str, listed: list[str]) -> None:
    each = [network.Found(*words.split()) for words in found.split(", ")]
    for order in (each, each[::-1]):
        assert network.likeliest_first(order, [TUNNEL, "192.168.1.6"]) == listed


def test_all_addresses_of_its_networks_are_found(tmp_path: Path) -> None:
    """In a network namespace of its own, without and with a way to the internet."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("a network namespace needs unshare and ip")
    program = (
        "import sys; from pathlib import Path; from rage.server.config import Config\n"
        "from rage.server.network import addresses\n"
        "print(*addresses(Config(Path(), host=sys.argv[1])), sep='\\n')"
    )
    add = f"ip link set lo up && ip addr add {HOME}/24 dev lo && ip addr add {TUNNEL}/24 dev lo"
    ask = f'"$0" -c "$1" ""; ip route add default dev lo src {TUNNEL} && "$0" -c "$1" 0.0.0.0'
    command = ["unshare", "-rn", "sh", "-c", f"{add} || exit 9; {ask}", sys.executable, program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode in (1, 9):
        pytest.skip(f"no network namespace can be made: {done.stderr}")
    assert done.stdout.split() == [f"http://{each}:7243" for each in (HOME, TUNNEL)] * 2


def test_enter_shows_the_code_of_the_next_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    urls, shown, expected = [f"http://{each}:7243" for each in (HOME, TUNNEL)], io.StringIO(), ""
    reading, writing = os.pipe()
    with os.fdopen(reading) as keys, os.fdopen(writing, "wb", buffering=0) as typed:
        monkeypatch.setattr("sys.stdin", keys)
        monkeypatch.setattr("sys.stdout", shown)  # pytest's own loses what a thread writes
        thread = threading.Thread(target=serve._show_codes, args=(urls,), daemon=True)
        thread.start()
        for url in (urls[1], urls[0]):
            typed.write(b"\n")
            expected += f"  {url}/\n{network.qr_lines(url + '/')}\n"
            end = time.monotonic() + PATIENCE
            while shown.getvalue() != expected and time.monotonic() < end:
                time.sleep(0.01)
            assert shown.getvalue() == expected
    thread.join(PATIENCE)
    assert not thread.is_alive()


async def test_nobody_else_waits_for_a_slow_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for the addresses does, and together they ask once."""
    go_on, asked = threading.Event(), list[object]()

    def get_adapters() -> list[object]:
        asked.append(None)
        assert go_on.wait(PATIENCE)
        return []

    monkeypatch.setattr("ifaddr.get_adapters", get_adapters)
    found = network.Links(Config(Path(), host=""))
    asking = [asyncio.ensure_future(found.addresses()) for _ in range(3)]
    await wait_until(lambda: asked)
    assert not any(each.done() for each in asking)
    go_on.set()
    first, *others = await asyncio.gather(*asking)
    assert others == [first, first]
    assert await found.addresses() == first
    assert len(asked) == 1
