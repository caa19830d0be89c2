"""Ports a program with a scripted model that writes down what it is asked: `SOURCE LOG KILL_AT WORKERS`.

At its request number KILL_AT the process is killed, with no chance to tidy up; 0 lets it end.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from porter.agent.budget import Budget, Ledger
from porter.agent.protocols import Request
from porter.core.outcome import Target
from porter.pipeline.agent.agent import Agent
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.report.json_report import format_json
from tests.pipeline.agent.scripted import Marked, Scripted, module, original

KERNELS = tuple(f"k{i:02}" for i in range(20))


def main(source: str, log: str, kill_at: str, workers: str) -> None:
    def note(line: str) -> None:
        with Path(log).open("a") as out:
            out.write(line + "\n")

    def answer(kernel: str, turn: int, _request: Request) -> str:
        note(f"asked {kernel} {turn}")
        # Several may have asked before the first of them looks.
        if 0 < int(kill_at) <= len(model.asked):
            os.kill(os.getpid(), signal.SIGKILL)
        note(f"answered {kernel} {turn}")
        return module(kernel, "right" if turn else "wrong")

    model = Scripted(answer)
    agent = Agent((model,), Ledger(Budget()), workers=int(workers), check=Marked())
    run = RunDirectory.create(Path(source).parent / ".porter", "translate", b"")
    result = port(PortRequest(Path(source), Target.TRITON), run, agent=agent, original=original(KERNELS))
    print(format_json(result.report))


if __name__ == "__main__":
    main(*sys.argv[1:])
