"""What sources get from targets that they link, from link_libraries, and from files that add their folder."""

from __future__ import annotations

import pytest

from porter.hip.build_files.compile_options import CompileOptions
from porter.migrate.build_settings import Found, read_build_settings
from porter.migrate.discovery import whole_tree
from tests.migrate.conftest import WriteTree

CORE = "add_library(core INTERFACE)\ntarget_include_directories(core INTERFACE inc)\n"
HEADERS = {"core/inc/c/c.cuh": "", "more/inc/m/m.cuh": "", "own/inc/o/o.cuh": ""}


def options(write_tree: WriteTree, name: str, files: dict[str, str]) -> CompileOptions:
    return read_build_settings(whole_tree(write_tree({**HEADERS, **files}))).of(name)


@pytest.mark.parametrize(
    "app",
    [
        "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE core)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app core)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app debug core optimized core)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app LINK_PRIVATE core)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE $<BUILD_INTERFACE:core>)\n",
        "set(PARTS core m)\nadd_executable(app a.cu)\ntarget_link_libraries(app ${PARTS})\n",
        "foreach(s ${ALL})\nadd_executable(${s} ${s}.cu)\ntarget_link_libraries(${s} core)\nendforeach()\n",
        "if(X)\nadd_executable(app a.cu)\ntarget_link_libraries(app core)\nendif()\n",
        "link_libraries(core)\nadd_executable(app a.cu)\n",
        "project(core)\nadd_executable(app a.cu)\ntarget_link_libraries(app ${PROJECT_NAME})\n",
    ],
)
def test_the_folders_of_a_linked_target(write_tree: WriteTree, app: str) -> None:
    files = {"CMakeLists.txt": "project(p)\n", "core/CMakeLists.txt": CORE, "apps/CMakeLists.txt": app}
    assert options(write_tree, "apps/a.cu", files).include_dirs == ("core/inc",)


@pytest.mark.parametrize(
    "app",
    [
        "add_executable(app a.cu)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE $<$<BOOL:${X}>:core>)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE other::core)\n",
        "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE ${UNKNOWN})\n",
    ],
)
def test_targets_that_are_not_linked_give_nothing(write_tree: WriteTree, app: str) -> None:
    files = {"CMakeLists.txt": "project(p)\n", "core/CMakeLists.txt": CORE, "apps/CMakeLists.txt": app}
    assert options(write_tree, "apps/a.cu", files).include_dirs == ()


def test_links_are_followed_by_what_is_handed_on(write_tree: WriteTree) -> None:
    files = {
        "CMakeLists.txt": "project(p)\n",
        "apps/CMakeLists.txt": "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE p::more)\n",
        "more/CMakeLists.txt": "add_library(more STATIC m.cu)\nadd_library(p::more ALIAS more)\n"
        "target_include_directories(more PUBLIC inc PRIVATE src)\n"
        "target_link_libraries(more PUBLIC core PRIVATE own)\n",
        "more/src/s.cuh": "",
        # They link each other.
        "core/CMakeLists.txt": CORE + "target_link_libraries(core INTERFACE more)\n",
        "own/CMakeLists.txt": "add_library(own o.cu)\ntarget_include_directories(own PUBLIC inc)\n",
    }
    assert options(write_tree, "apps/a.cu", files).include_dirs == ("more/inc", "core/inc")
    assert options(write_tree, "more/m.cu", files).include_dirs == (
        *("more/inc", "more/src", "core/inc", "own/inc"),
    )


def test_what_another_file_says_of_a_target_counts_for_its_sources(write_tree: WriteTree) -> None:
    files = {
        "CMakeLists.txt": "project(p)\n",
        "apps/CMakeLists.txt": "add_executable(app a.cu)\n",
        "core/CMakeLists.txt": CORE + "target_link_libraries(app PRIVATE core)\n",
    }
    assert options(write_tree, "apps/a.cu", files).include_dirs == ("core/inc",)


def test_projects_beside_each_other_have_targets_of_their_own(write_tree: WriteTree) -> None:
    app = "add_executable(app a.cu)\ntarget_link_libraries(app PRIVATE core only)\n"
    only = "add_library(only INTERFACE)\ntarget_include_directories(only INTERFACE inc)\n"
    files = {
        "more/CMakeLists.txt": CORE + app,
        "core/CMakeLists.txt": CORE,
        "own/CMakeLists.txt": only,
        "apps/CMakeLists.txt": app,
    }
    assert options(write_tree, "more/a.cu", files).include_dirs == ("more/inc", "own/inc")
    assert options(write_tree, "apps/a.cu", files).include_dirs == ("own/inc",)  # two have `core`


def test_a_folder_that_is_added_from_elsewhere_has_the_folders_of_there(write_tree: WriteTree) -> None:
    files = {
        "core/CMakeLists.txt": "include_directories(inc)\nadd_subdirectory(../apps built)\n"
        "add_subdirectory(.)\n",
        "apps/CMakeLists.txt": "add_subdirectory(../core)\nadd_subdirectory(deep)\n",
        "apps/deep/CMakeLists.txt": "add_executable(app a.cu)\n",
    }
    assert options(write_tree, "apps/deep/a.cu", files).include_dirs == ("core/inc",)


def test_macros_that_every_target_of_a_file_has(write_tree: WriteTree) -> None:
    core = CORE + "target_compile_definitions(core INTERFACE WITH_CORE -DN=4 ROOT=${CMAKE_SOURCE_DIR})\n"
    core += "target_compile_options(core INTERFACE -DFAST -O3)\nif(X)\n"
    core += "target_compile_definitions(core INTERFACE SOMETIMES)\nendif()\n"
    files = {
        "CMakeLists.txt": "project(p)\nadd_library(all a.cu)\n"
        "target_compile_definitions(all PRIVATE OF_ROOT)\n",
        "core/CMakeLists.txt": core,
        "apps/CMakeLists.txt": "link_libraries(core)\nadd_executable(a a.cu)\nadd_executable(b b.cu)\n"
        "target_compile_definitions(a PRIVATE OF_A BOTH=1)\n"
        "target_compile_definitions(b PRIVATE BOTH=1 N=5)\n",
        "tests/CMakeLists.txt": "add_executable(t t.cu)\ntarget_link_libraries(t core)\n",
        "loop/CMakeLists.txt": "foreach(s ${ALL})\nadd_executable(${s} ${s}.cu)\n"
        "target_link_libraries(${s} core)\nendforeach()\n",
        "loops/CMakeLists.txt": "foreach(s a b)\nadd_executable(${s} ${s}.cu)\nendforeach()\n"
        "foreach(s b)\ntarget_link_libraries(${s} core)\nendforeach()\n",
    }
    settings = read_build_settings(whole_tree(write_tree({**HEADERS, **files})))
    assert settings.of("apps/a.cu").defines == ("BOTH=1", "WITH_CORE", "FAST")
    assert settings.of("apps/below/a.cu").defines == ("BOTH=1", "WITH_CORE", "FAST")
    assert settings.of("tests/t.cu").defines == ("WITH_CORE", "N=4", "FAST")
    assert settings.of("loop/x.cu").defines == ("WITH_CORE", "N=4", "FAST")
    assert settings.of("loops/a.cu").defines == ()
    assert settings.of("src/s.cu").defines == ("OF_ROOT",)


def test_an_option_is_no_macro(write_tree: WriteTree) -> None:
    files = {"CMakeLists.txt": 'add_definitions(-Wall -DA=1 -DNAME=\\"n\\" /O2)\n'}
    assert options(write_tree, "a.cu", files).defines == ("A=1",)


def test_an_include_with_a_folder_that_one_place_answers(write_tree: WriteTree) -> None:
    """The last resort: no build file names any of it."""
    root = write_tree(
        {
            "apps/a.cu": "#include <c/c.cuh>\n#include <c/d.cuh>\n#include <twice/t.cuh>\n",
            "core/inc/c/c.cuh": "",
            "core/inc/c/d.cuh": "",
            "more/inc/twice/t.cuh": "",
            "own/inc/twice/t.cuh": "",
        }
    )
    settings = read_build_settings(whole_tree(root))
    assert settings.found_for(root, "apps/a.cu", ()) == (Found("c/c.cuh", "core/inc"),)


def test_many_targets_that_all_link_each_other_end(write_tree: WriteTree) -> None:
    names = [f"t{i}" for i in range(600)]
    text = "".join(
        f"add_library({a} {a}.cu)\ntarget_link_libraries({a} PUBLIC {b})\n"
        for a, b in zip(names, (*names[1:], names[0]), strict=True)
    )
    files = {"CMakeLists.txt": text + "target_include_directories(t5 PUBLIC core/inc)\n"}
    assert options(write_tree, "a.cu", files).include_dirs == ("core/inc",)
