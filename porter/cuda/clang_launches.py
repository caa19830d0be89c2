"""Which kernels a source has and with which template arguments they are launched.

Launches are read from the typed tree, where a launch names the instantiated kernel with its deduced
arguments; template host functions are followed through their calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.clang_cursor import (
    Cursor,
    Kind,
    children,
    declaration_key,
    evaluate,
    template_arguments,
)
from porter.cuda.clang_unit import ClangUnit
from porter.cuda.explicit_instantiations import INSTANCE_PREFIX, explicit_classes, named_instance
from porter.cuda.launch import LaunchSite

_FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR)
_TEMPLATE_LIKE = (Kind.FUNCTION_TEMPLATE, Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
CONFIGURATION_CALLS = ("cudaConfigureCall", "__cudaPushCallConfiguration")
_SCOPES = (Kind.NAMESPACE, Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL, Kind.STRUCT_DECL, Kind.CLASS_DECL)


@dataclass(frozen=True)
class Instantiation:
    """A kernel to lower; `kernel` is None for a template no launch of which could be instantiated."""

    name: str
    kernel: Cursor | None
    template: Cursor | None = None
    template_arguments: tuple[str, ...] = ()
    launch: LaunchSite | None = None
    block_is_1d: bool = False
    appendix: str = ""

    def problem(self, unit: ClangUnit) -> Diagnostic:
        assert self.template is not None
        span = unit.span(self.template)
        errors = [*unit.errors_within(span), *(unit.errors_within(self.launch.span) if self.launch else ())]
        if errors:
            return Diagnostic("TIL001", Severity.ERROR, errors[0].message, errors[0].span)
        message = f"the kernel template `{self.name}` is launched nowhere in this file"
        hint = "name a launch or an explicit instantiation, so that its types are known"
        if self.launch is not None:
            message = f"the template arguments of this launch of `{self.name}` could not be determined"
            return Diagnostic("TIL012", Severity.ERROR, message, self.launch.span, hint)
        return Diagnostic("TIL012", Severity.ERROR, message, span, hint)


@dataclass(frozen=True)
class _Launch:
    """A launch in the typed tree, or another mention of a kernel (`cudaLaunchKernel(k, …)`)."""

    kernel: Cursor
    offset: int
    path: str
    is_launch: bool
    block_is_1d: bool


@dataclass
class _Kernels:
    """The kernels of a file in source order: plain ones by key, templates by name."""

    plain: dict[int, Cursor] = field(default_factory=dict)
    templates: dict[str, Cursor] = field(default_factory=dict)
    host: list[Cursor] = field(default_factory=list)
    specialisations: list[Cursor] = field(default_factory=list)


def is_kernel(cursor: Cursor) -> bool:
    return any(c.kind == Kind.CUDAGLOBAL_ATTR for c in cursor.get_children())


def find_instantiations(unit: ClangUnit, sites: tuple[LaunchSite, ...]) -> tuple[Instantiation, ...]:
    """Plain kernels with or without a launch, template kernels once for each set of arguments."""
    kernels = _Kernels()
    _collect(unit, unit.cursor, kernels)
    launches = list(_find_launches(unit, kernels)) if kernels.plain or kernels.templates else []
    by_key: dict[int, list[_Launch]] = {}
    for launch in launches:
        by_key.setdefault(declaration_key(_defined(launch.kernel)), []).append(launch)
    found = [_plain(kernel, by_key, sites) for kernel in kernels.plain.values()]
    for name, template in kernels.templates.items():
        found += _of_template(name, template, launches, sites)
    return tuple(sorted(found, key=_order(unit)))


def _order(unit: ClangUnit) -> Callable[[Instantiation], tuple[str, int]]:
    def key(found: Instantiation) -> tuple[str, int]:
        cursor = found.kernel if found.kernel is not None else found.template
        span = unit.span(cursor)
        return span.path, span.start

    return key


def _defined(kernel: Cursor) -> Cursor:
    return kernel.get_definition() or kernel


# --- declarations ---


def _collect(unit: ClangUnit, scope: Cursor, kernels: _Kernels) -> None:
    for child in scope.get_children():
        if scope.kind == Kind.TRANSLATION_UNIT and unit.is_porters_own(child):
            continue
        if child.kind in _FUNCTIONS:
            _collect_function(child, kernels)
        elif child.kind in _TEMPLATE_LIKE:
            if child.kind == Kind.FUNCTION_TEMPLATE and is_kernel(child):
                known = kernels.templates.get(child.spelling)
                if known is None or not _has_body(known):
                    kernels.templates[child.spelling] = child
        elif child.kind in _SCOPES:
            _collect(unit, child, kernels)


def _collect_function(function: Cursor, kernels: _Kernels) -> None:
    if is_kernel(function):
        if function.is_definition():
            group = kernels.specialisations if template_arguments(function) else None
            if group is not None:
                group.append(function)
            else:
                kernels.plain[declaration_key(function)] = function
    elif function.is_definition():
        kernels.host.append(function)


def _has_body(template: Cursor) -> bool:
    return any(c.kind == Kind.COMPOUND_STMT for c in template.get_children())


# --- launches ---


def _find_launches(unit: ClangUnit, kernels: _Kernels) -> Iterator[_Launch]:
    names = _launching_names(unit)
    seen: set[int] = set()
    pending = [f for f in kernels.host if _mentions(unit, f, names)]
    pending += _named_instances(unit)
    while pending:
        function = pending.pop(0)
        if declaration_key(function) in seen:
            continue
        seen.add(declaration_key(function))
        yield from _walk(unit, function, names, pending)


def _named_instances(unit: ClangUnit) -> Iterator[Cursor]:
    """What the appendix names: variables whose initialisers are kernels, functions or methods."""
    for variable in unit.cursor.get_children():
        if variable.kind == Kind.VAR_DECL and variable.spelling.startswith(INSTANCE_PREFIX):
            yield variable


def method_instances(unit: ClangUnit) -> str:
    """C++ text that names every method of the explicitly instantiated classes of the source."""
    instances = dict(explicit_classes(unit.source.text))
    lines: list[str] = []
    for template in _declarations(unit, unit.cursor):
        spelled = instances.get(template.spelling)
        if template.kind != Kind.CLASS_TEMPLATE or spelled is None:
            continue
        methods = [c for c in template.get_children() if c.kind == Kind.CXX_METHOD]
        lines += [
            f"static auto {INSTANCE_PREFIX}m{len(lines) + i} = &{spelled}::{method.spelling};"
            for i, method in enumerate(methods)
        ]
    return "\n".join(lines)


_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)


def _launching_names(unit: ClangUnit) -> frozenset[str]:
    """Identifiers whose mention may lead to a launch: macros that launch, functions whose text does."""
    names: set[str] = set()
    texts = {name: body for source in _sources(unit) for name, body in _MACRO.findall(source)}
    grown = True
    while grown:
        grown = False
        for name, body in texts.items():
            if name not in names and ("<<<" in body or names & set(re.findall(r"\w+", body))):
                names.add(name)
                grown = True
    return frozenset(names)


def _sources(unit: ClangUnit) -> Iterator[str]:
    yield unit.source.text
    for include in unit.translation_unit.get_includes():
        if not include.include.name.startswith(str(unit.include_directory)):
            yield unit.source_of(include.include.name).text


def _mentions(unit: ClangUnit, function: Cursor, names: frozenset[str]) -> bool:
    """Whether the text of a function may launch: itself, through a macro, or through a template it calls."""
    span = unit.span(function)
    text = unit.text_of(span).text[span.start : span.end]
    if "<<<" in text or "Launch" in text or "launch" in text:
        return True
    identifiers = set(re.findall(r"\w+", text))
    return bool(identifiers & (names | _template_names(unit)))


def _template_names(unit: ClangUnit) -> frozenset[str]:
    """Function and class templates of the program: instantiating one may be what launches a kernel."""
    if unit.template_names is None:
        found = [
            c.spelling
            for c in _declarations(unit, unit.cursor)
            if c.kind in (Kind.FUNCTION_TEMPLATE, Kind.CLASS_TEMPLATE)
        ]
        unit.template_names = frozenset(found)
    return unit.template_names


def _declarations(unit: ClangUnit, scope: Cursor) -> Iterator[Cursor]:
    for child in scope.get_children():
        if scope.kind == Kind.TRANSLATION_UNIT and unit.is_porters_own(child):
            continue
        yield child
        if child.kind in _SCOPES:
            yield from _declarations(unit, child)


def _walk(unit: ClangUnit, cursor: Cursor, names: frozenset[str], pending: list[Cursor]) -> Iterator[_Launch]:
    for child in cursor.get_children():
        if child.kind in (Kind.CALL_EXPR, Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR):
            callee = child.referenced
            if callee is not None and callee.kind in _FUNCTIONS:
                if is_kernel(callee):
                    yield _launch(unit, child, callee)
                    for part in children(child)[1:]:
                        yield from _walk(unit, part, names, pending)
                    continue
                if _may_launch(unit, callee, names):
                    pending.append(callee.get_definition() or callee)
        yield from _walk(unit, child, names, pending)


def _may_launch(unit: ClangUnit, callee: Cursor, names: frozenset[str]) -> bool:
    """Only instantiations have to be followed: plain functions are walked anyway."""
    if unit.is_porters_own(callee):
        return False
    definition = callee.get_definition() or callee
    return _mentions(unit, definition, names)


def _launch(unit: ClangUnit, cursor: Cursor, kernel: Cursor) -> _Launch:
    span = unit.span(cursor)
    return _Launch(kernel, span.start, span.path, cursor.kind == Kind.CALL_EXPR, _block_is_1d(cursor))


def _block_is_1d(cursor: Cursor) -> bool:
    for child in cursor.get_children():
        if child.kind == Kind.CALL_EXPR and child.spelling in CONFIGURATION_CALLS:
            arguments = list(child.get_arguments())
            return len(arguments) > 1 and _is_1d(arguments[1], depth=0)
    return False


def _is_1d(block: Cursor, depth: int) -> bool:
    """Whether a `dim3` expression has one for y and z: by its constructor, or its variable's initialiser."""
    if depth > 8:
        return False
    if block.kind == Kind.CALL_EXPR and block.spelling == "dim3":
        arguments = list(block.get_arguments())
        if len(arguments) == 3:
            return all(evaluate(a) == 1 for a in arguments[1:])
    inner = [c for c in children(block) if c.kind.is_expression()]
    if block.kind == Kind.DECL_REF_EXPR and block.referenced is not None:
        inner = [c for c in children(block.referenced) if c.kind.is_expression()]
        if "const" not in block.referenced.type.spelling and not block.referenced.type.spelling.endswith(
            "dim3"
        ):
            return False
    return len(inner) == 1 and _is_1d(inner[0], depth + 1)


# --- results ---


def _all_1d(own: list[_Launch]) -> bool:
    launches = [launch for launch in own if launch.is_launch]
    return bool(launches) and all(launch.block_is_1d for launch in launches) and len(launches) == len(own)


def _site_of(launch: _Launch | None, name: str, sites: tuple[LaunchSite, ...]) -> LaunchSite | None:
    if launch is not None:
        for site in sites:
            if site.span.path == launch.path and site.span.start <= launch.offset < site.span.end:
                return site
    return next((s for s in sites if s.kernel.rpartition("::")[2] == name), None)


def _first_site(own: list[_Launch], name: str, sites: tuple[LaunchSite, ...]) -> LaunchSite | None:
    """The first launch, with what other ones have else: shared memory of another size, other blocks."""
    found = [_site_of(launch, name, sites) for launch in own] or [_site_of(None, name, sites)]
    first = found[0]
    if first is None:
        return None
    known = [site for site in found if site is not None]
    sizes = {_as_written(site, site.shared) for site in known}
    blocks = (site.block_dim for site in known if _block(site) != _block(first))
    return replace(first, shared_varies=len(sizes) > 1, other_blocks=tuple(dict.fromkeys(blocks)))


def _block(site: LaunchSite) -> tuple[object, ...]:
    return site.block_dim or _as_written(site, site.block)


def _as_written(site: LaunchSite, extent: str) -> tuple[object, ...]:
    """A size as it is written, with what its names stand for and which argument they are."""
    names = set(re.findall(r"\w+", extent))
    known = tuple((name, text) for name, text in site.resolved if name in names)
    places = tuple((position, text) for position, text in enumerate(site.arguments) if text in names)
    return extent, known, places


def _plain(kernel: Cursor, by_key: dict[int, list[_Launch]], sites: tuple[LaunchSite, ...]) -> Instantiation:
    own = by_key.get(declaration_key(kernel), [])
    return Instantiation(
        kernel.spelling,
        kernel,
        launch=_first_site(own, kernel.spelling, sites),
        block_is_1d=_all_1d(own),
    )


def _of_template(
    name: str, template: Cursor, launches: list[_Launch], sites: tuple[LaunchSite, ...]
) -> list[Instantiation]:
    groups: dict[tuple[tuple[str, ...], int], list[_Launch]] = {}
    for launch in launches:
        if launch.kernel.spelling == name and _has_body(_defined(launch.kernel)):
            key = _arguments(launch.kernel), declaration_key(_defined(launch.kernel))
            groups.setdefault(key, []).append(launch)
    if not groups:
        return [_uninstantiated(name, template, site) for site in _sites_named(name, sites)]
    return [
        Instantiation(
            name,
            _defined(own[0].kernel),
            template,
            arguments,
            _first_site(own, name, sites),
            _all_1d(own),
        )
        for (arguments, _), own in groups.items()
    ]


def _arguments(kernel: Cursor) -> tuple[str, ...]:
    arguments = template_arguments(kernel)
    return arguments if arguments else (str(kernel.type.spelling),)


def _sites_named(name: str, sites: tuple[LaunchSite, ...]) -> list[LaunchSite | None]:
    named: list[LaunchSite | None] = [s for s in sites if s.kernel.rpartition("::")[2] == name]
    return named or [None]


def _uninstantiated(name: str, template: Cursor, site: LaunchSite | None) -> Instantiation:
    """No launch could be resolved; one with explicit arguments can be asked for by name."""
    appendix = ""
    if site is not None and site.template_arguments:
        appendix = named_instance(site.span.start, site.kernel, site.template_arguments)
    return Instantiation(name, None, template, launch=site, appendix=appendix)
