"""The server: six tools over standard input and output, each a function of the command line.

Built on the protocol's own Python SDK. What a tool answers is structured and bounded; what cannot be done is
an error with a reason that the assistant can read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from porter import __version__
from porter.core.errors import PorterError
from porter.core.outcome import Target
from porter.hardware.gpu import load_gpu
from porter.mcp import calls
from porter.mcp.bounded import bounded
from porter.mcp.root import Root
from porter.mcp.worker import CallFailed, call_in_worker
from porter.pipeline.inspect import InspectRequest
from porter.pipeline.port_kind import port_target
from porter.pipeline.request import PortRequest

_INSTRUCTIONS = (
    "Ports CUDA C++ to HIP or Triton for AMD GPUs and proves each kernel numerically, without a GPU. Paths "
    "are relative to the server's folder. A kernel is ported only where its status is 'ported'; a reason and "
    "findings say why another is not, and explain says what a finding's code means."
)

Name = Annotated[str, Field(max_length=4096)]
Names = Annotated[list[Name], Field(max_length=64)]
Kind = Literal["hip", "triton"]
Document = dict[str, Any]


@dataclass(frozen=True)
class Tools:
    """The tools of one server. A call that takes longer than `seconds` is stopped."""

    root: Root
    seconds: float

    async def translate(
        self,
        path: Name,
        target: Kind,
        kernels: Names | None = None,
        arch: Name = "gfx950",
        arguments: Names | None = None,
        include: Names | None = None,
        define: Names | None = None,
        check: bool = True,
        output: Name | None = None,
        overwrite: bool = False,
    ) -> Document:
        """Port one CUDA file to HIP or Triton and prove every kernel. The port's text is in the answer; with
        output it is also written there, unless a kernel failed. Takes seconds to minutes."""

        def request() -> Document:
            wanted = self._request(path, Target(target), kernels, arch, arguments, include, define)
            wanted = PortRequest(**{**vars(wanted), "check": check})
            return {
                "request": wanted,
                "output": self.root.file(output) if output else None,
                "overwrite": overwrite,
            }

        return await self._call(calls.translate, request)

    async def verify(
        self,
        original: Name,
        port: Name,
        kernels: Names | None = None,
        arch: Name = "gfx950",
        arguments: Names | None = None,
        include: Names | None = None,
        define: Names | None = None,
    ) -> Document:
        """Run a CUDA program and its port (HIP, or a Triton module) on the same inputs and compare the
        numbers, kernel by kernel. Use it for every port that was written or edited by hand."""

        def request() -> Document:
            files = self.root.file(original), self.root.file(port)
            target = port_target(self.root.path / files[0], self.root.path / files[1])
            wanted = self._request(original, target, kernels, arch, arguments, include, define)
            return {"request": wanted, "port_file": files[1]}

        return await self._call(calls.verify, request)

    async def select(
        self,
        original: Name,
        ports: Annotated[list[Name], Field(min_length=1, max_length=16)],
        kernels: Names | None = None,
        arch: Name = "gfx950",
        arguments: Names | None = None,
        include: Names | None = None,
        define: Names | None = None,
    ) -> Document:
        """Select the fastest of several ports of one CUDA program: each is verified, and those that pass are
        ordered by the time that is predicted from their executed machine code."""

        def request() -> Document:
            files = self.root.files(ports)
            target = port_target(self.root.path / self.root.file(original), self.root.path / files[0])
            wanted = self._request(original, target, kernels, arch, arguments, include, define)
            return {"request": wanted, "ports": files}

        return await self._call(calls.select, request)

    async def inspect(
        self,
        path: Name,
        gpu: Name = "gfx950",
        kernels: Names | None = None,
        include: Names | None = None,
        define: Names | None = None,
    ) -> Document:
        """Say how each kernel of a CUDA file accesses memory, what it assumes of warps, what registers and
        LDS it needs and where it stands on the roofline. Nothing is run."""

        def request() -> Document:
            load_gpu(gpu)
            return {
                "request": InspectRequest(
                    source=self.root.file(path),
                    gpu=gpu,
                    kernels=tuple(kernels or ()),
                    include_dirs=self.root.files(include or ()),
                    defines=tuple(define or ()),
                )
            }

        return await self._call(calls.inspect, request)

    async def check(
        self, paths: Names | None = None, target: Kind = "hip", arch: Name = "gfx950"
    ) -> Document:
        """Find what in files and folders will not carry over to AMD GPUs. Nothing is built or run."""

        def request() -> Document:
            return {"paths": self.root.files(paths or ()), "target": Target(target), "arch": arch}

        return await self._call(calls.check, request)

    async def explain(self, code: Annotated[str, Field(max_length=40)] = "") -> Document:
        """Explain the code of a finding (WAV001, TIL014 …): what it means, why it matters, what to do.
        Without a code: the list of all."""
        return await self._call(calls.explain, lambda: {"code": code})

    def _request(
        self,
        path: str,
        target: Target,
        kernels: list[str] | None,
        arch: str,
        arguments: list[str] | None,
        include: list[str] | None,
        define: list[str] | None,
    ) -> PortRequest:
        load_gpu(arch)
        return PortRequest(
            source=self.root.file(path),
            target=target,
            arch=arch,
            kernels=tuple(kernels or ()),
            arguments=tuple(arguments or ()),
            include_dirs=self.root.files(include or ()),
            defines=tuple(define or ()),
        )

    async def _call(self, function: Callable[..., Document], arguments: Callable[[], Document]) -> Document:
        """Refuses what the arguments cannot mean before anything is started."""
        try:
            given = arguments()
        except PorterError as error:
            raise ToolError(error.message) from error
        try:
            answer = await call_in_worker(function, self.root.path, given, self.seconds)
        except CallFailed as failure:
            raise ToolError(str(failure)) from failure
        return bounded(answer)


def make_server(tools: Tools) -> MCPServer[Any]:
    """The server with its tools."""
    server: MCPServer[Any] = MCPServer(
        "porter", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    for tool in (tools.translate, tools.verify, tools.inspect, tools.check, tools.explain, tools.select):
        server.tool()(tool)
    return server
