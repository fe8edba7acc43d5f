"""Entries are found by qualified name first, then by glob, then by shape; earlier entries win."""

from __future__ import annotations

from reduction_lint.knowledge.models import Capture, Hit, Match, Table


def capture(*calls: str, method: str | None = None, receivers: tuple[str, ...] = (), note: str = "") -> Capture:
    """A capture that is told apart by its note."""
    return Capture(Match(calls, method, receivers), note=note)


def found(hit: Hit[Capture] | None) -> tuple[str, bool] | None:
    """The note of the entry and whether the match was exact."""
    return None if hit is None else (hit.entry.note, hit.exact)


def test_the_first_qualified_name_that_is_known_wins() -> None:
    """Candidates are tried best first."""
    table = Table([capture("a.B.put", note="b"), capture("a.Base.put", note="base")])
    assert found(table.find(["a.C.put", "a.B.put", "a.Base.put"], "put", ())) == ("b", True)


def test_a_qualified_name_wins_over_a_glob_and_a_glob_over_a_shape() -> None:
    """The surer match is preferred whatever the order of the entries."""
    shape = capture(method="info", receivers=("log",), note="shape")
    table = Table([shape, capture("logging.*", note="glob"), capture("logging.Logger.info", note="name")])
    assert found(table.find(["logging.Logger.info"], "info", ["log"])) == ("name", True)
    assert found(table.find(["logging.info"], "info", ["log"])) == ("glob", True)
    assert found(table.find(["app.info"], "info", ["log"])) == ("shape", False)


def test_a_shape_needs_method_and_receiver() -> None:
    """Neither the method nor the receiver is enough."""
    table = Table([capture(method="append|record", receivers=("*_log", "recorder"), note="log")])
    assert found(table.find([], "append", ["session_log"])) == ("log", False)
    assert found(table.find([], "record", ["x", "app.store.Recorder"])) == ("log", False)
    assert table.find([], "append", ["errors"]) is None
    assert table.find([], "remove", ["session_log"]) is None
    assert table.find([], "append", ()) is None


def test_a_shape_without_receivers_fits_functions_and_methods() -> None:
    """A telling method name alone is enough where the entry says so."""
    table = Table([capture(method="write_text", note="path")])
    assert found(table.find([], "write_text", ())) == ("path", False)
    assert found(table.find([], "write_text", ["anything"])) == ("path", False)


def test_of_two_shapes_the_earlier_entry_wins() -> None:
    """Also when the later one names the method without a star."""
    table = Table([capture(method="record_*", note="star"), capture(method="record_turn", note="plain")])
    assert found(table.find([], "record_turn", ())) == ("star", False)


def test_builtins_are_found_with_and_without_their_module() -> None:
    """``print`` and ``builtins.print`` are the same function."""
    table = Table([capture("print", note="print")])
    assert found(table.find(["builtins.print"], "print", ())) == ("print", True)
    assert found(table.find(["print"], "print", ())) == ("print", True)


def test_a_glob_that_begins_with_a_star_is_tried_for_every_name() -> None:
    """Such a pattern has no first part to look it up by."""
    table = Table([capture("*.sidecar.Log.add", note="any")])
    assert found(table.find(["app.sidecar.Log.add"], "add", ())) == ("any", True)


def test_words_are_the_literal_last_names() -> None:
    """Words serve to spot a call in raw text; a glob over a whole module gives none."""
    table = Table([capture("a.b.trim_messages"), capture("logging.*"), capture(method="summarize_*|cap")])
    assert table.words == {"trim_messages", "summarize_", "cap"}
