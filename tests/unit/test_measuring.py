"""Figures of ``measure`` against sums made by hand, and archives that want to do harm."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from reduction_lint.measuring import characters, measure_archive
from reduction_lint.workspace import archive as archives
from reduction_lint.workspace.archive import ArchiveError


def zip_of(path: Path, members: dict[str, Any]) -> Path:
    """A zip file of JSON members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data if isinstance(data, (str, bytes)) else json.dumps(data))
    return path


def test_half_is_removed(tmp_path: Path) -> None:
    """``{"a":"1234","b":"12"}`` has 21 characters, ``{"a":"1234"}`` has 12: 9 of 21 are gone, the path is b."""
    request = {"id": "r1", "phase": "handoff", "before": {"a": "1234", "b": "12"}, "after": {"a": "1234"}}
    result = measure_archive(zip_of(tmp_path / "a.zip", {"r1.json": request}))
    (only,) = result.requests
    assert (only.name, only.phase, only.before, only.after, only.excluded) == ("r1", "handoff", 21, 12, ("b",))
    assert only.share == pytest.approx(9 / 21)


def test_nothing_is_removed(tmp_path: Path) -> None:
    """0 %: equal views."""
    view = {"facts": ["one", "two"]}
    (only,) = measure_archive(zip_of(tmp_path / "a.zip", {"r.json": {"before": view, "after": view}})).requests
    assert (only.share, only.excluded) == (0, ())


@pytest.mark.parametrize("after", ["", {}, [], None])
def test_everything_is_removed(tmp_path: Path, after: Any) -> None:
    """100 %: an empty view, whatever its form."""
    request = {"before": {"facts": ["one"]}, "after": after}
    (only,) = measure_archive(zip_of(tmp_path / "a.zip", {"r.json": request})).requests
    assert (only.before, only.after, only.share, only.excluded) == (17, 0, 1, ("facts",))


def test_characters_are_code_points(tmp_path: Path) -> None:
    """``Größe 😀`` has 7 characters, however many bytes or UTF-16 units that is."""
    request = {"before": "Größe 😀", "after": "Größe"}
    (only,) = measure_archive(zip_of(tmp_path / "a.zip", {"r.json": request})).requests
    assert (only.before, only.after) == (7, 5)
    assert only.share == pytest.approx(2 / 7)
    assert characters({"ä": "é"}) == len('{"ä":"é"}') == 9


def test_nothing_before_has_no_share(tmp_path: Path) -> None:
    """There is no share of nothing."""
    (only,) = measure_archive(zip_of(tmp_path / "a.zip", {"r.json": {"before": "", "after": ""}})).requests
    assert only.share is None


def test_messages_count_their_contents() -> None:
    """System prompt and messages together: 6 + 3 + 2 characters; roles are not counted."""
    messages = [{"role": "user", "content": "abc"}, {"role": "assistant", "content": "de"}]
    assert characters(messages) == 5
    assert characters({"system": "system", "messages": messages}) == 11


def test_paths_name_the_topmost_part_that_is_gone(tmp_path: Path) -> None:
    """Items are told apart by id, else by what they are."""
    before = {
        "sources": [{"id": 1, "nav": {"x": 1}, "t": "a"}, {"id": 2, "t": "b"}],
        "notes": ["p", "q", "r"],
        "k": {"m": 1},
    }
    after = {"sources": [{"id": 1, "t": "a"}], "notes": ["r"]}
    (only,) = measure_archive(zip_of(tmp_path / "a.zip", {"r.json": {"before": before, "after": after}})).requests
    assert only.excluded == ("sources/0/nav", "sources/1", "notes/0", "notes/1", "k")


def test_views_in_pairs_of_members_and_in_a_folder(tmp_path: Path) -> None:
    """NAME.before.json with NAME.after.json, and before/NAME.json with after/NAME.json; a lonely half is a problem."""
    for name, view in {
        "x.before.json": "abcd", "x.after.json": "ab", "before/y.json": "abc", "after/y.json": "abc", "z.before.json": "a",
    }.items():  # fmt: skip
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(view))
    result = measure_archive(tmp_path)
    assert [(r.name, r.before, r.after) for r in result.requests] == [("x", 4, 2), ("y", 3, 3)]
    assert result.problems == [("z", "has no view after selection")]
    assert (result.total.before, result.total.after) == (7, 5)


def test_broken_members_do_not_hide_the_others(tmp_path: Path) -> None:
    """Bad JSON, bad encoding, no request, too deep: one line each, the sound member is measured."""
    path = zip_of(
        tmp_path / "a.zip",
        {
            "a.json": '{"before": "ab",\n "after": }', "b.json": b"\xff\xfe\x00", "c.json": {"view": 1},
            "d.json": "[" * 100_000, "good.json": {"before": "ab", "after": "a"}, "readme.txt": "not looked at",
        },
    )  # fmt: skip
    result = measure_archive(path)
    assert [request.name for request in result.requests] == ["good"]
    problems = dict(result.problems)
    assert "line 2, column 11" in problems["a.json"]
    assert problems["b.json"] == "is not UTF-8 text"
    assert problems["d.json"] == "is nested too deeply"
    assert "an object" in problems["c"]


def test_damaged_member(tmp_path: Path) -> None:
    """Bytes that no longer fit their checksum."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.json", json.dumps({"before": "aaaa", "after": "a"}))
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"bbbb"))
    assert "damaged" in dict(measure_archive(path).problems)["a.json"]


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/evil.json", "a/../../evil.json", "..\\evil.json", "C:evil.json"]
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    """Nothing is unpacked, but such an archive is not trusted at all."""
    with pytest.raises(ArchiveError, match="leads out of the archive"):
        measure_archive(zip_of(tmp_path / "a.zip", {name: {"before": "a", "after": "a"}}))


def test_zip_bomb_is_refused(tmp_path: Path) -> None:
    """A member that grows out of all proportion is not unpacked."""
    path = zip_of(tmp_path / "a.zip", {"bomb.json": b"0" * 20_000_000})
    with pytest.raises(ArchiveError, match="zip bomb"):
        measure_archive(path)


def test_limits_hold_whatever_the_header_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes are counted while reading, too; so are members and the total."""
    path = zip_of(
        tmp_path / "a.zip", {"a.json": {"before": "a" * 500, "after": ""}, "b.json": {"before": "", "after": ""}}
    )
    monkeypatch.setattr(archives, "MAX_MEMBER_BYTES", 100)
    with pytest.raises(ArchiveError, match="larger than"):
        measure_archive(path)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 1)
    with pytest.raises(ArchiveError, match="2 members"):
        measure_archive(path)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 10)
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 100)
    with pytest.raises(ArchiveError, match="unpacks to more than"):
        measure_archive(path)


def test_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """A folder is not left through a link."""
    (tmp_path / "secret.json").write_text("{}")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(ArchiveError, match="leads out of the folder"):
        measure_archive(folder)


def test_symbolic_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    """A link has no place among views."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("a.json")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ArchiveError, match="symbolic link"):
        measure_archive(path)


def test_what_is_no_archive(tmp_path: Path) -> None:
    """A missing file, and a file that is no zip."""
    with pytest.raises(ArchiveError, match="no such file"):
        measure_archive(tmp_path / "none.zip")
    (tmp_path / "text.zip").write_text("hello")
    with pytest.raises(ArchiveError, match="neither a folder nor a zip"):
        measure_archive(tmp_path / "text.zip")


def test_archive_is_not_touched(tmp_path: Path) -> None:
    """Measuring leaves bytes and times as they were."""
    path = zip_of(tmp_path / "a.zip", {"r.json": {"before": "ab", "after": "a"}})
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    path.chmod(0o400)
    measure_archive(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert zipfile.ZipFile(io.BytesIO(before[0])).namelist() == ["r.json"]
