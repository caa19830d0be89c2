"""The numbers of a migration, from the results of its units, one at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from porter.core.asked import ModelCost
from porter.core.migration_report import RESTS_ON, MigrationReport, ModelsPart, Reason
from porter.migrate.repository.journal import Journal
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.results import Result, Results, each
from porter.migrate.repository.spending import spending_of
from porter.migrate.repository.units import State
from porter.pipeline.check import CANDIDATE

_PLACES = 5


def summary(
    request: MigrationRequest, journal: Journal, results: Results, run_directory: str, seconds: float
) -> MigrationReport:
    """Of all units, those that wait included."""
    files: dict[str, dict[str, int]] = defaultdict(dict)
    for (kind, state), count in sorted(journal.counts().items(), key=str):
        files[kind.value][state.value if state else "waiting"] = count
    head = MigrationReport(
        root=str(request.root),
        target=request.target.value,
        arch=request.arch,
        files=dict(files),
        run_directory=run_directory,
        seconds=seconds,
        models=paid(results.folder) if request.agent else None,
    )
    return summed_up(head, each(results, journal.done()), checked=request.check)


def summed_up(head: MigrationReport, results: Iterable[Result], *, checked: bool) -> MigrationReport:
    """`head` with the numbers of kernels, evidence, reasons and models of `results`; with those of files too
    where it has none; what models cost is in `head` already. `checked`: proofs were asked for."""
    files: dict[str, Counter[str]] = defaultdict(Counter)
    kernels: Counter[str] = Counter()
    evidence: Counter[str] = Counter()
    rests_on: Counter[str] = Counter()
    found: dict[tuple[str, str], list[str]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    messages: dict[str, str] = {}
    told: set[tuple[tuple[str, str], str]] = set()
    models = head.models
    for result in results:
        files[result.unit.kind.value][result.state.value] += 1
        for unit in result.document["units"]:
            kernels[unit["outcome"]] += 1
            evidence.update(set(unit["evidence"]))
            if unit["outcome"] == "ported":
                rests_on.update(RESTS_ON.keys() & {f["code"] for f in unit["findings"]})
        if models is not None:
            models = _with_asked(models, result.document)
        for code, message, place in reasons_of(result, checked=checked):
            key = (code, messages.setdefault(code, message) if code else message)
            if (key, place) in told:
                continue  # in a header, for each program that includes it
            told.add((key, place))
            counts[key] += 1
            places = found.setdefault(key, [])
            if len(places) < _PLACES:
                places.append(place)
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    return replace(
        head,
        files=head.files or {kind: dict(by_state) for kind, by_state in sorted(files.items())},
        kernels=dict(kernels),
        evidence=dict(sorted(evidence.items())),
        rests_on=dict(sorted(rests_on.items())),
        reasons=tuple(Reason(*key, counts[key], tuple(found[key])) for key in ordered),
        models=models,
    )


def _with_asked(models: ModelsPart, document: Mapping[str, Any]) -> ModelsPart:
    asked = document.get("agent")
    if not asked:
        return models
    conversations = [c for work in asked["work"] for c in work["conversations"]]
    taken = sum(len(work["kernels"]) for work in asked["work"] if work["taken"] == "agent")
    return replace(
        models,
        conversations=models.conversations + len(conversations),
        accepted=models.accepted + sum(c["accepted"] for c in conversations),
        kernels_taken=models.kernels_taken + taken,
    )


def paid(folder: Path) -> ModelsPart:
    """What the migration in `folder` paid, for files not done too; what it got is in the results."""
    spent = spending_of(folder).total()
    return ModelsPart(cost=ModelCost(spent.requests, **asdict(spent.usage), cost_usd=spent.cost_usd))


def reasons_of(result: Result, *, checked: bool) -> Iterator[tuple[str, str, str]]:
    """Of a file that needs a person: code, message and place of each reason. What stops a file is a reason of
    all its kernels, and told once."""
    if result.state not in (State.OPEN, State.CRASHED):
        return
    name = result.unit.name
    found = dict.fromkeys((f["code"], f["message"], _place(name, f)) for f in _errors(result.document))
    yield from found
    told = bool(found)
    explained = any(f["severity"] == "error" for f in result.document["findings"])
    for unit in result.document["units"]:
        unproved = unit["outcome"] != "ported" and (checked or unit["outcome"] != "partial")
        if unproved and unit["outcome"] == "partial" and explained:
            continue  # an error of the file is why
        if unproved and not any(f["severity"] == "error" for f in unit["findings"]):
            told = True
            yield "", (unit["reason"] or unit["outcome"]).partition("\n")[0], f"{name}: {unit['kernel']}"
    if not told:
        yield "", result.document.get("reason") or "it needs a look", name


def _place(name: str, finding: Mapping[str, Any]) -> str:
    """Compilers speak of the port where it was tried, which is nobody's file."""
    if Path(finding["path"]).stem == CANDIDATE:
        return f"{name} (line {finding['line']} of its port)"
    return f"{finding['path']}:{finding['line']}"


def _errors(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    every = [*document["findings"], *(f for unit in document["units"] for f in unit["findings"])]
    return (f for f in every if f["severity"] == "error")
