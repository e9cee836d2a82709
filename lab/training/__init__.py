"""Training: how the networks that ship with the bots are made. See lab/training/README.md."""

import sys
from importlib.util import find_spec

_NEEDED = ["numpy"]
if "lab.training.labels" not in sys.orig_argv:  # which the package's own search makes
    _NEEDED += ["matplotlib", "safetensors", "torch"]
if "lab.training.nash" in sys.orig_argv:
    _NEEDED += ["pyspiel"]

# An ImportError would name only one missing module. While Python looks for a program of this
# package (`python -m lab.training...`), sys.argv begins with "-m".
if sys.argv[:1] == ["-m"] and (missing := [name for name in _NEEDED if find_spec(name) is None]):
    raise SystemExit(
        f"training: {', '.join(missing)}: not installed;"
        " python -m pip install -r lab/training/requirements.txt does it"
    )
