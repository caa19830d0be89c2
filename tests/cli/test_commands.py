from __future__ import annotations

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest

from porter.cli.commands import COMMANDS, load_command
from porter.core.sandbox import sandbox_available
from tests.cli.conftest import FIXTURES, ROOT, Porter

SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text())
SAXPY = FIXTURES / "saxpy" / "kernel.cu"


@pytest.mark.parametrize(
    ("target", "proof"), [("hip", "simulated:wave64"), ("triton", "interpreted")], ids=["hip", "triton"]
)
def test_translate_writes_the_port_and_one_json_document(porter: Porter, target: str, proof: str) -> None:
    ran = porter("translate", SAXPY, "--target", target, "-o", "port", "--json")
    report = json.loads(ran.out)
    jsonschema.validate(report, SCHEMA)
    assert ran.code == 0
    unit = report["units"][0]
    assert (unit["kernel"], unit["outcome"]) == ("saxpy", "ported")
    assert {"built:gfx950", proof} <= set(unit["evidence"])
    assert unit["comparison"]["n_mismatch"] == 0
    assert unit["comparison"]["cases"] > 1
    assert unit["estimate"]["time_us"] > 0
    assert Path("port").stat().st_size > 0
    assert Path(report["run_directory"], "run.json").exists()


def test_translate_to_stdout_keeps_the_report_off_it(porter: Porter) -> None:
    ran = porter("translate", SAXPY, "--target", "hip", "-o", "-")
    assert ran.code == 0
    assert ran.out.startswith("// ")
    assert "hip/hip_runtime.h" in ran.out
    assert "ported" in ran.err


def test_translate_makes_the_folder_that_a_slash_names_and_tells_every_file(porter: Porter) -> None:
    Path("helper.cuh").write_text(HELPER)
    Path("count.cu").write_text(DUAL)
    arguments = ("translate", "count.cu", "--target", "hip", "--no-check", "--style")
    assert "is not a folder" in porter(*arguments, "shim", "-o", "missing/count.hip").err
    ran = porter(*arguments, "shim", "-o", "made/shim/")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 translated, not checked")
    files = {str(path) for path in Path("made/shim").iterdir()}
    assert "made/shim/count.hip" in files
    assert len(files) == 3
    assert {line.removeprefix("wrote ") for line in ran.err.splitlines()} == files
    ran = porter(*arguments, "rewrite", "--in-place")
    assert ran.err == "wrote count.cu\nwrote helper.cuh\n"


def test_ports_in_a_folder_share_porters_headers(porter: Porter) -> None:
    text = (
        "#include <cuda/atomic>\n__global__ void k(int* n) { cuda::atomic_ref<int> a(*n); a.fetch_add(1); }\n"
    )
    Path("bar.cu").write_text(text)
    arguments = ("translate", "bar.cu", "--target", "hip", "--no-check", "-o")
    assert porter(*arguments, "first.hip").code == 0
    assert porter(*arguments, "second.hip").code == 0
    assert Path("second.hip").exists()
    Path("porter_atomic.h").write_text("int mine;\n")
    ran = porter(*arguments, "third.hip")
    assert ran.code == 2
    assert "porter_atomic.h exists, and this port's header of that name differs" in ran.err
    assert "another folder" in ran.err
    assert "--force" in ran.err
    assert Path("porter_atomic.h").read_text() == "int mine;\n"
    assert not Path("third.hip").exists()
    ran = porter(*arguments, "shim.hip", "--style", "shim")
    assert (ran.code, (ran.out + ran.err).count("--style rewrite ports it")) == (1, 2)


def test_translate_without_checks_claims_nothing(porter: Porter) -> None:
    ran = porter("translate", SAXPY, "--target", "hip", "-o", "port.hip", "--no-check", "--json")
    unit = json.loads(ran.out)["units"][0]
    assert ran.code == 0
    assert (unit["outcome"], unit["evidence"], unit["comparison"]) == ("partial", [], None)
    assert Path("port.hip").exists()


def test_run_gives_the_programs_output_and_exit_code(porter: Porter, tmp_path: Path) -> None:
    program = tmp_path / "args.cu"
    program.write_text(
        "#include <cstdio>\n#include <cstdlib>\n"
        "__global__ void k(int* x) { atomicAdd(x, warpSize); }\n"
        "int main(int argc, char** argv) {\n"
        "  int* d; int h = 0; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); k<<<1, 2>>>(d);\n"
        "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n"
        '  std::printf("%d %s\\n", h, argv[1]); return std::atoi(argv[2]); }\n'
    )
    ran = porter("run", program, "--", "hello", "7")
    assert (ran.code, ran.out) == (7, "64 hello\n")
    assert porter("run", program, "--lanes", "64", "--", "x", "0").out == "128 x\n"


def test_run_reports_a_bad_access_at_its_line(porter: Porter, tmp_path: Path) -> None:
    program = tmp_path / "wild.cu"
    program.write_text(
        "__global__ void k(int* x) {\n  x[threadIdx.x + 4096] = 1;\n}\n"
        "int main() { int* d; cudaMalloc(&d, 64); k<<<1, 32>>>(d); return cudaDeviceSynchronize() != 0; }\n"
    )
    ran = porter("run", program)
    assert ran.code != 0
    assert ran.err.startswith("wild.cu:2: error:")
    program.write_text(program.read_text().replace("4096", "16"))
    checked = porter("run", "--check", "memory", program)
    assert "byte 64 of allocation 1, which has 64 bytes (allocated at wild.cu:4)" in checked.err


def test_run_checks_what_it_is_asked_to(porter: Porter, tmp_path: Path) -> None:
    program = tmp_path / "short.cu"
    program.write_text(
        "__global__ void k(int* x, int* y) {\n  y[threadIdx.x] = x[threadIdx.x];\n}\n"
        "int main() {\n  int *x, *y;\n  cudaMalloc(&x, 124); cudaMalloc(&y, 128); cudaMemset(x, 0, 124);\n"
        "  k<<<1, 32>>>(x, y);\n  cudaFree(x); cudaFree(y);\n}\n"
    )
    assert porter("run", program).code == 0
    ran = porter("run", program, "--check", "memory,leaks")
    assert (ran.code, "short.cu:2: error: 4-byte read: out of bounds: byte 124" in ran.err) == (1, True)
    assert "thread (31" in ran.err
    assert porter("run", program, "--check", "everything").code == 2


def test_run_tells_a_finding_once_and_then_its_count(porter: Porter) -> None:
    Path("race.cu").write_text(
        "__global__ void k(int* x) {\n  __shared__ int s[64];\n  s[threadIdx.x] = threadIdx.x;\n"
        "  x[threadIdx.x] = s[63 - threadIdx.x];\n}\n"
        "int main() { int* x; cudaMalloc(&x, 256); k<<<1, 64>>>(x); cudaDeviceSynchronize(); cudaFree(x); }\n"
    )
    ran = porter("run", "race.cu", "--check", "race")
    told = [line for line in ran.err.splitlines() if ": error: race: " in line]
    counts = [line for line in ran.err.splitlines() if line not in told]
    assert ran.code == 1
    assert all("[SIM050] (kernel k, block (0,0,0), thread (" in line for line in told)
    assert len({line.split(": error:")[0] for line in told}) == len(told)
    assert [line.split(": [")[0] for line in counts] == [line.split(": error:")[0] for line in told]
    assert sum(int(line.split()[2]) for line in counts) == 64  # every thread meets one of the other warp


def test_run_reports_a_compile_error_at_its_line(porter: Porter, tmp_path: Path) -> None:
    program = tmp_path / "typo.cu"
    program.write_text("__global__ void k(int* x) {\n  x[0] = undefined_name;\n}\nint main() { return 0; }\n")
    ran = porter("run", program)
    assert ran.code == 2
    assert ran.err.startswith("porter: error: typo.cu:2:")
    assert "undefined_name" in ran.err


def test_a_pipe_is_no_source_file(porter: Porter) -> None:
    os.mkfifo("pipe.cu")
    for command in (("run",), ("translate", "--target", "hip"), ("inspect",)):
        told = porter(*command, "pipe.cu")
        assert (told.code, told.err.splitlines()[0]) == (2, "porter: error: pipe.cu: is not a regular file")


def test_a_hip_header_in_a_cuda_program_is_told_at_its_include(porter: Porter) -> None:
    Path("vec.cuh").write_text("#pragma once\n#include <hip/hip_runtime.h>\n")
    Path("mixed.cu").write_text('#include "vec.cuh"\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n')
    ran = porter("run", "mixed.cu")
    message, hint = ran.err.splitlines()
    assert message.endswith(
        "vec.cuh:2:1: error: vec.cuh includes hip/hip_runtime.h in a CUDA program [SIM100]"
    )
    assert (ran.code, "#ifdef __HIPCC__" in hint) == (2, True)


def test_verify_accepts_the_port_and_rejects_a_broken_one(porter: Porter) -> None:
    source = FIXTURES / "stream_compaction" / "kernel.cu"
    assert porter("translate", source, "--target", "hip", "-o", "good.hip", "--no-check").code == 0
    assert porter("verify", source, "good.hip").code == 0
    text = Path("good.hip").read_text()
    broken = text.replace(">> (__lane_id() & 32u)", "")
    assert broken != text
    Path("bad.hip").write_text(broken)
    ran = porter("verify", source, "bad.hip")
    assert ran.code == 1
    assert "failed" in ran.out
    assert "expected" in ran.out


def test_doctor_lists_what_is_here(porter: Porter) -> None:
    tools = json.loads(porter("doctor", "--json").out)["tools"]
    assert any(t["found"] and "simulated:wave64" in t["evidence"] for t in tools)
    assert all(t["found"] or t["how_to_install"] for t in tools)
    confinement = json.loads(porter("doctor", "--json").out)["confinement"]
    assert all(m["in_force"] or m["needs"] for m in confinement)
    text = porter("doctor").out
    assert "limits on programs" in text
    assert "adds" in text
    assert max(len(line) for line in text.splitlines() if "cache: " not in line) < 100
    assert all(t["version"] in " ".join(text.split()) for t in tools)
    assert "install: an" not in text
    assert "keys of models" in text
    assert [k["provider"] for k in json.loads(porter("doctor", "--json").out)["keys"]] == [
        "anthropic",
        "openai",
    ]
    cache = json.loads(porter("doctor", "--json").out)["cache"]
    assert cache["limit_bytes"] == 5 << 30
    assert cache["size_bytes"] > 0
    assert "what was used within 2 hours stays" in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("translate",), "missing argument 'FILE'"),
        (("translate", "x.cu"), "missing option '--target' / '-t'. one of hip, triton"),
        (("translate", "x.cu", "-t", "cuda"), "'cuda' is not one of 'hip', 'triton'"),
        (("run", "x.cu", "--lanes", "many"), "a whole number is expected"),
        (("run", "x.cu", "--timeout", "soon"), "a number is expected"),
        (("run", "x.cu", "--devices", "0"), "'--devices'"),
        (("bogus",), "no such command 'bogus'"),
    ],
)
def test_messages_about_the_command_line_are_one_plain_line(
    porter: Porter, arguments: tuple[str, ...], message: str
) -> None:
    ran = porter(*arguments)
    assert ran.code == 2
    first, hint = ran.err.splitlines()
    assert first.startswith("porter: error: ")
    assert message in first
    assert hint.startswith("  hint: porter")
    assert not any(word in ran.err for word in ("{", "Value error", "Input should"))


def test_long_lines_are_not_wrapped_for_a_pipe(porter: Porter) -> None:
    name = "folder-" * 60
    assert f"porter: error: {name}.cu: no such file\n" in porter("run", f"{name}.cu").err or (
        "File name too long" in porter("run", f"{name}.cu").err
    )
    name = "folder/" * 60 + "x.cu"
    assert f"porter: error: {name}: no such file\n" in porter("run", name).err


def test_a_confined_program_sees_only_what_it_is_given(porter: Porter, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "in.txt").write_text("1")
    (tmp_path / "hidden.txt").write_text("2")
    program = tmp_path / "src" / "reads.cu"
    program.parent.mkdir()
    program.write_text(
        "#include <cstdio>\n__global__ void k() {}\nint main(int n, char **names) {\n"
        '  for (int i = 1; i < n; ++i) std::printf("%d", std::fopen(names[i], "r") != nullptr);\n'
        f'  std::printf("%d", std::fopen("{tmp_path}/hidden.txt", "r") != nullptr);\n}}\n'
    )
    work = tmp_path / "work"
    work.mkdir()
    os.chdir(work)
    (work / "own.txt").write_text("3")
    names = (tmp_path / "given" / "in.txt", "own.txt", tmp_path / "missing.txt")
    assert porter("run", program, "--", *names).out == "1101"
    expected = "1100" if sandbox_available() else "1101"
    assert porter("run", program, "--confine", "--", *names).out == expected


def test_capture_replaces_a_capture_only_when_told_to(porter: Porter, tmp_path: Path) -> None:
    program = tmp_path / "tiny.cu"
    program.write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    assert porter("capture", program, "-o", "c").code == 0
    assert "--force" in porter("capture", program, "-o", "c").err
    assert porter("capture", program, "-o", "c", "--force").code == 0
    Path("c/capture.json").unlink()
    ran = porter("capture", program, "-o", "c", "--force")
    assert (ran.code, "is no capture" in ran.err) == (2, True)


def test_explain_lists_and_explains(porter: Porter) -> None:
    codes = [line.split()[0] for line in porter("explain").out.splitlines()]
    assert codes
    assert "compute-capability-test: a decision by `major`" in porter("explain").out
    for code in codes:
        assert code in porter("explain", code).out


def test_version_and_help(porter: Porter) -> None:
    assert porter("--version").out.startswith("porter ")
    text = porter("--help").out
    assert all(command in text for command in ("translate", "verify", "run", "doctor", "demo"))
    assert porter() == (2, "", text)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_the_documentation(command: str) -> None:
    text = "\n".join(path.read_text() for path in sorted((ROOT / "docs").glob("*.md")))
    options = [p for p in load_command(command).params if p.param_type_name == "option"]
    told = [any(re.search(rf"(?<![\w-]){o}(?![\w-])", text) for o in option.opts) for option in options]
    assert [o.opts for o, is_told in zip(options, told, strict=True) if not is_told] == []
    assert [o.secondary_opts for o in options if o.secondary_opts] == []


def test_run_names_the_signal_that_ended_the_program(porter: Porter, tmp_path: Path) -> None:
    program = tmp_path / "abort.cu"
    program.write_text("#include <cstdlib>\n__global__ void k() {}\nint main() { std::abort(); }\n")
    ran = porter("run", program)
    assert ran.code == 128 + 6
    assert "SIGABRT" in ran.err


DUAL = """\
#include "helper.cuh"
#include <cstdio>
__global__ void count(int* n) { if (warp_any(threadIdx.x == 3)) atomicAdd(n, 1); }
int main() {
  int *n, h = 0;
  cudaMalloc(&n, sizeof(int));
  cudaMemset(n, 0, sizeof(int));
  count<<<1, 64>>>(n);
  cudaMemcpy(&h, n, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\\n", h);
}
"""
HELPER = """\
#include <cuda_runtime.h>
__device__ inline bool warp_any(bool p) { return __any_sync(0xffffffffu, p); }
"""


def test_in_place_with_one_header_keeps_the_cuda_build(porter: Porter) -> None:
    Path("helper.cuh").write_text(HELPER)
    Path("count.cu").write_text(DUAL)
    shown = porter("translate", "count.cu", "--target", "hip", "--style", "shim", "--diff", "--no-check")
    assert "+++ cuda_to_hip.h\n" in shown.out
    assert Path("count.cu").read_text() == DUAL
    ran = porter("translate", "count.cu", "--target", "hip", "--style", "shim", "--in-place")
    assert ran.code == 0, ran.err
    assert '#include "cuda_to_hip.h"' in Path("helper.cuh").read_text()
    assert "cudaMalloc hipMalloc" in Path("cuda_to_hip.h").read_text()
    assert "cudaMalloc(&n" in Path("count.cu").read_text()
    assert porter("run", "count.cu", "--lanes", "32").out == "32\n"


@pytest.mark.parametrize("option", ["--autotune", "--tf32"])
def test_options_of_triton_are_refused_for_hip(porter: Porter, option: str) -> None:
    result = porter("translate", "kernel.cu", "--target", "hip", option)
    assert result.code == 2
    assert f"{option} is for --target triton, not for hip" in result.err


def test_two_outputs_at_once_are_refused(porter: Porter) -> None:
    for options in (("--in-place", "--diff"), ("--diff", "-o", "x"), ("--diff", "--json")):
        assert porter("translate", SAXPY, "--target", "hip", "--no-check", *options).code == 2
    assert porter("translate", SAXPY, "--target", "triton", "--in-place").code == 2
