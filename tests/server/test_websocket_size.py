"""How much of what was read is still unparsed follows from the sizes of the frames that were."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from rage.server.websocket_protocol import masked_size


@pytest.mark.parametrize("length", [0, 1, 3, 124, 125, 126, 127, 65535, 65536, 70000])
def test_how_long_a_clients_frame_is(length: int) -> None:
    assert masked_size(length) == len(Frame(Opcode.TEXT, bytes(length)).serialize(mask=True))
