"""The numbers of steady."""

WEIGHTS = {
    "will": [180, 230, 100],
    "ruff": [150, 200, 40],
    "wild": [100, 200, 30],
    "prize": [1500],
    "crowd": [100, 80],
    "spoil": [400],
}


def _first() -> bytes:
    out = bytearray()
    for _ in range(60):
        for cls in range(21):
            if cls < 16:
                q = (cls & 7) / 7
                if cls >= 8:
                    hi, lo = 0.25 + 0.7 * q, 0.1 + 0.5 * q * q
                else:
                    hi, lo = 0.05 + 0.7 * q, 0.02 + 0.5 * q * q
            else:
                hi, lo = [(0.8, 0.05), (0.05, 0), (0.05, 0), (0, 0), (0, 0)][cls - 16]
            out += bytes([int(hi * 255), int(lo * 255)])
    return bytes(out)


CHANCES = _first()
