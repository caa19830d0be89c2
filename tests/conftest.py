"""Every test checks the kernel IR after each pass of the Triton compiler."""

import os

from porter.tile.verify_passes import SWITCH

os.environ[SWITCH] = "1"
