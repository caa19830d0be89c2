"""The fixtures' own launches, captured in the simulator, on the generated Triton: same results.

The required fixtures are replayed in `make test` as part of the main job; here the kernels whose
translation is not shared with another test, and in `make test-slow` all of them.
"""

import pytest

from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.fixtures.captured_launches import read_launches
from tests.fixtures.references import FIXTURES, load_reference, mismatches
from tests.tile.replay import MAX_PROGRAMS, port_of, replayed

QUICK = {"layer_norm", "block_scan", "stencil_1d", "cg_tile_sum"}
NAMES = sorted(path.parent.name for path in FIXTURES.glob("*/kernel.cu"))
# Instantiations that neither their arguments nor their block tell apart have no name in a capture.
AMBIGUOUS = {"attention", "batched_matmul"}


@pytest.mark.parametrize(
    "name",
    [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES if n not in AMBIGUOUS],
)
def test_captured_launches_give_the_same_results(name, tmp_path):
    run_program(build_program([FIXTURES / name / "kernel.cu"], face=Face.CUDA), capture_dir=tmp_path)
    launches = list(read_launches(tmp_path))
    port = port_of(FIXTURES / name, launches, tmp_path)
    reference = load_reference(FIXTURES / name)
    declined = {kernel for kernel, _ in port.translation.declined}
    small = [
        launch
        for launch in launches
        if launch.grid[0] * launch.grid[1] * launch.grid[2] <= MAX_PROGRAMS and launch.kernel not in declined
    ]
    if declined and not small:
        pytest.skip(f"declined: {', '.join(str(d) for _, d in port.translation.declined)}")
    assert [
        line for launch in small for line in mismatches(replayed(launch, port, reference), reference)
    ] == []
