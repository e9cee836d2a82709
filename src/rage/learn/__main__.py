"""``python -m rage.learn EDITION`` prints the scenes of an edition as the page reads them."""

from __future__ import annotations

import json
import sys

from rage.learn import build_scenes

if __name__ == "__main__":
    sys.stdout.write(
        json.dumps(build_scenes(sys.argv[1]), separators=(",", ":"), sort_keys=True) + "\n"
    )
