"""How sources are compiled, from the build files of a tree; headers that no build file names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.hip.build_files.compile_options import CompileOptions
from porter.migrate.build_settings import Found, read_build_settings
from porter.migrate.discovery import whole_tree
from tests.migrate.conftest import WriteTree

TREE = {
    "CMakeLists.txt": "project(p)\n"
    "set(INC ${PROJECT_SOURCE_DIR}/include)\n"
    "include_directories(${INC} gone)\n",
    "src/CMakeLists.txt": "add_definitions(-DTILE=8)\ntarget_include_directories(t PRIVATE own ${INC})\n",
    "tools/Makefile": "CXXFLAGS = -I../include -DTILE=16\n",
    "include/p/a.cuh": '#include "p/b.cuh"\n#include <far/c.cuh>\n',
    "include/p/b.cuh": "",
    "src/own/o.cuh": "",
    "src/k.cu": '#include "p/a.cuh"\n#include <cuda_runtime.h>\n',
    "third/lib/far/c.cuh": '#include "twice.cuh"\n#include "beside.cuh"\n',
    "third/lib/far/beside.cuh": "",
    "x/twice.cuh": "",
    "y/twice.cuh": "",
}


def test_a_file_has_the_options_of_the_build_files_above_it(write_tree: WriteTree) -> None:
    settings = read_build_settings(whole_tree(write_tree(TREE)))
    assert settings.of("src/k.cu") == CompileOptions(("src/own", "include"), ("TILE=8",))
    assert settings.of("tools/t.cu") == CompileOptions(("include",), ("TILE=16",))
    assert settings.of("other/o.cu") == CompileOptions(("include",), ())


def test_a_header_is_found_where_only_one_has_its_name(write_tree: WriteTree) -> None:
    root = write_tree(TREE)
    settings = read_build_settings(whole_tree(root))
    known = settings.of("src/k.cu").include_dirs
    # twice.cuh is there two times, and cuda_runtime.h not at all.
    assert settings.found_for(root, "src/k.cu", known) == (Found("far/c.cuh", "third/lib"),)
    assert settings.found_for(root, "src/k.cu", ()) == (
        Found("p/a.cuh", "include"),
        Found("far/c.cuh", "third/lib"),
    )


def test_names_that_lead_out_of_the_tree_are_not_looked_for(write_tree: WriteTree, tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("")
    root = write_tree(
        {"a/k.cu": '#include "../../secret.h"\n#include "/etc/passwd"\n', "Makefile": "I = -I..\n"}
    )
    settings = read_build_settings(whole_tree(root))
    assert settings.of("a/k.cu") == CompileOptions()
    assert settings.found_for(root, "a/k.cu", ()) == ()


def test_headers_that_include_each_other_end(write_tree: WriteTree) -> None:
    root = write_tree({"k.cu": '#include "a.h"\n', "i/a.h": '#include "b.h"\n', "i/b.h": '#include "a.h"\n'})
    settings = read_build_settings(whole_tree(root))
    assert settings.found_for(root, "k.cu", ()) == (Found("a.h", "i"),)
    assert os.path.isdir(root / "i")


def test_macros_of_an_outer_makefile_end_at_an_inner_one(write_tree: WriteTree) -> None:
    files = {"Makefile": "F = -DOUTER -Iinc\n", "inc/i.h": "", "a/Makefile": "F = -DINNER\n", "b/k.cu": ""}
    settings = read_build_settings(whole_tree(write_tree(files)))
    assert settings.of("b/k.cu").defines == ("OUTER",)
    assert settings.of("a/k.cu") == CompileOptions(("inc",), ("INNER",))


def test_the_systems_headers_are_not_the_trees(write_tree: WriteTree) -> None:
    system = "#include <unistd.h>\n#include <sys/types.h>\n#include <cub/cub.cuh>\n"
    root = write_tree(
        {
            "k.cu": system + "#include <own/part.h>\n",
            "windows/unistd.h": "#include <direct.h>\n",
            "windows/sys/types.h": "",
            "old/cub/cub.cuh": "",
            "lib/own/part.h": "",
        }
    )
    settings = read_build_settings(whole_tree(root))
    assert settings.found_for(root, "k.cu", ()) == (Found("own/part.h", "lib"),)


def test_a_link_out_of_the_tree_is_no_folder_of_it(
    write_tree: WriteTree, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = write_tree({"Makefile": "F = -Iout -Ilinked -Iloop -Iown\n", "own/a.cuh": ""})
    (root / "out").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    (root / "linked").symlink_to("own")
    (root / "loop").symlink_to("loop")
    assert read_build_settings(whole_tree(root)).of("k.cu").include_dirs == ("linked", "own")
