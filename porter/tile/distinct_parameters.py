"""Gives every parameter a name of its own in the launcher.

`p.x` of a struct and a parameter `p_x`, `a` and `_a`, or a parameter that is called `grid` as the launcher's
own, would be one Python name. Assumes that structs were taken apart.
"""

from __future__ import annotations

import dataclasses

from porter.cuda import kir
from porter.tile.names import NameScope, legal
from porter.tile.rename_variables import rename_variables

_OF_THE_LAUNCHER = frozenset(
    {"grid", "block", "blocks", "programs", "shared_bytes", "num_warps", "num_stages"}
)


def distinct_parameters(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel with parameters that have different names in Python, none of which the launcher uses."""
    scope = NameScope({*_OF_THE_LAUNCHER, *(legal(v.name) for v in kernel.globals)})
    names: dict[kir.Variable, kir.Variable] = {}
    for parameter in kernel.parameters:
        own = legal(parameter.name)
        name = scope.fresh(f"{own}_arg" if own in _OF_THE_LAUNCHER else own)
        if name != own:
            names[parameter] = dataclasses.replace(parameter, name=name)
    if not names:
        return kernel
    parameters = tuple(names.get(p, p) for p in kernel.parameters)
    body = tuple(rename_variables(s, names) for s in kernel.body)
    return dataclasses.replace(kernel, parameters=parameters, body=body)
