"""Reading files: encodings, line ends, limits."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from reduction_lint.findings import Range
from reduction_lint.workspace.sources import (
    MAX_BYTES,
    SourceError,
    SourceTooLarge,
    decode,
    load_source,
    source_from_text,
)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        ("x = 'é'\n".encode(), "x = 'é'\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        (b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\n\x80\n", "#!/bin/sh\n# vim: set fileencoding=cp1252 :\n€\n"),
        (b"x = 1\n\n# coding: latin-1\n", "x = 1\n\n# coding: latin-1\n"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"a\x0cb\n\x0c\n", "a\x0cb\n\x0c\n"),
        (b"a\0b", "a\0b"),
    ],
)
def test_text_of_bytes(tmp_path: Path, raw: bytes, text: str) -> None:
    """Encodings follow PEP 263, every line end becomes a line feed, all else stays."""
    path = tmp_path / "a.py"
    path.write_bytes(raw)
    source = load_source(path, "a.py")
    assert (source.text, source.raw, source.cells) == (text, raw, None)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"x = 1\ny = '\xff'\n", "utf-8"),
        (b"# coding: nonsense\n", "nonsense"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "utf-8"),
        (b"# coding: rot13\n", "cannot be decoded"),
    ],
)
def test_undecodable_bytes_are_an_error(raw: bytes, words: str) -> None:
    """Bytes that are not what they claim to be give one clear line."""
    with pytest.raises(SourceError) as caught:
        decode(raw)
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_place_of_the_first_bad_byte_is_named() -> None:
    """The message names the line of the bad byte."""
    with pytest.raises(SourceError, match="line 2"):
        decode(b"x = 1\ny = '\xff'\n")


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    """A file that went away is reported with the system's reason."""
    with pytest.raises(SourceError, match="No such file"):
        load_source(tmp_path / "a.py", "a.py")


def test_folder_is_no_file(tmp_path: Path) -> None:
    """Only regular files are read."""
    with pytest.raises(SourceError, match="not a regular file"):
        load_source(tmp_path, "x")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_not_read(tmp_path: Path) -> None:
    """A pipe is refused instead of waited for."""
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(SourceError, match="not a regular file"):
        load_source(tmp_path / "a.py", "a.py")


def test_unusable_path_is_an_error(tmp_path: Path) -> None:
    """A path with a null character is an error like any other."""
    with pytest.raises(SourceError, match="cannot be read"):
        load_source(tmp_path / "a\0.py", "a.py")


def test_large_file_is_a_limit(tmp_path: Path) -> None:
    """A file above the limit is refused without being read, and not as an error."""
    path = tmp_path / "a.py"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(SourceTooLarge, match="larger than 10 MB"):
        load_source(path, "a.py")


def test_text_without_a_file() -> None:
    """Standard input and editor buffers make sources, too."""
    source = source_from_text("\ufeffx = 1\r\n", "dir/a.py")
    assert (source.text, source.display) == ("x = 1\n", "dir/a.py")
    assert source.path.is_absolute()


def test_places_in_plain_files_stay() -> None:
    """Outside of notebooks there are no cells."""
    place = Range.of(1, 2, 3, 4)
    assert source_from_text("x\n", "a.py").locate(place) == (None, place)


def test_places_in_notebooks_are_within_cells() -> None:
    """A place in the joined text is found in its cell; a range over several cells ends with the first."""
    cells = [
        {"cell_type": "markdown", "source": "# title"},
        {"cell_type": "code", "source": ["a = 1\n", "bb = 2"]},
        {"cell_type": "code", "source": "c = 3\nd = 4\n"},
    ]
    source = source_from_text(json.dumps({"cells": cells, "metadata": {}}), "n.ipynb")
    assert source.text == "a = 1\nbb = 2\nc = 3\nd = 4\n"
    assert source.locate(Range.of(2, 1, 2, 3)) == (2, Range.of(2, 1, 2, 3))
    assert source.locate(Range.of(4, 5, 4, 6)) == (3, Range.of(2, 5, 2, 6))
    assert source.locate(Range.of(2, 1, 4, 2)) == (2, Range.of(2, 1, 2, 7))


def test_malformed_notebook_is_an_error(tmp_path: Path) -> None:
    """A notebook that is none is reported as an error of the file."""
    (tmp_path / "n.ipynb").write_text("{")
    with pytest.raises(SourceError, match="not a notebook"):
        load_source(tmp_path / "n.ipynb", "n.ipynb")
