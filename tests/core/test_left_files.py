import os
from pathlib import Path

from porter.core.left_files import remove_what_is_no_file


def test_links_and_pipes_go_and_files_stay(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the answer")
    left = tmp_path / "left"
    (left / "inner").mkdir(parents=True)
    (left / "inner" / "kept").write_text("kept")
    (left / "link").symlink_to(secret)
    (left / "inner" / "folder").symlink_to(tmp_path)
    os.link(secret, left / "hard")
    os.mkfifo(left / "pipe")
    remove_what_is_no_file(left)
    assert sorted(p.relative_to(left).as_posix() for p in left.rglob("*")) == ["inner", "inner/kept"]
    assert secret.read_text() == "the answer"
