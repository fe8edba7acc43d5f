"""The shipped models load, are consistent, and answer the questions the analysis asks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import reduction_rules
from reduction_lint.knowledge.entries import Match
from reduction_lint.knowledge.examples import wrong_examples
from reduction_lint.knowledge.models import Examples, Models, load_models

MODELS = load_models()


def test_entries_match_their_own_examples() -> None:
    """Each shipped entry fits its ``matches`` and none of its ``no-matches``."""
    assert MODELS.examples
    assert [f"{example.file} {example.entry}: {text}" for example, text in wrong_examples(MODELS.examples)] == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("errors.append(x)", "`errors.append(x)` should match and does not"),
        ("x = 1", "`x = 1` is no Python expression"),
        ("session_log", "`session_log` is no call"),
    ],
)
def test_an_example_that_does_not_hold_is_named(call: str, said: str) -> None:
    """What is wrong is said in one line."""
    entry = Examples("settings", "captures[1]", Match((), "append", ("*log",)), (call,), ())
    assert wrong_examples([entry]) == [(entry, said)]


def test_a_qualified_example_is_compared_in_full() -> None:
    """``app.store.put(x)`` is an example of that very function."""
    entry = Examples("settings", "captures[1]", Match(("app.store.put",)), ("app.store.put(x)",), ("app.other.put(x)",))
    assert wrong_examples([entry]) == []


def test_every_model_file_is_read() -> None:
    """The list of files is complete: a file that is not on it would be ignored silently."""
    folder = Path(reduction_rules.__path__[0], "models")
    assert tuple(f"models/{path.name}" for path in sorted(folder.glob("*.toml"))) == reduction_rules.MODEL_FILES


def test_a_data_file_that_is_not_there_is_an_error() -> None:
    """Asking for a wrong name fails as opening a file does."""
    with pytest.raises(FileNotFoundError):
        reduction_rules.data("models/nothing.toml")


def test_loading_is_fast() -> None:
    """All files are read and compiled in a fraction of a second (60 ms is the aim, the bound has room)."""
    from reduction_lint.knowledge import loading, models

    best = 1.0
    for _ in range(3):
        loading.read_shipped.cache_clear()
        models._shipped.cache_clear()
        start = time.perf_counter()
        load_models()
        best = min(best, time.perf_counter() - start)
    assert best < 0.25


@pytest.mark.parametrize(
    ("name", "durable", "copies", "lossless"),
    [
        ("pathlib.Path.write_text", True, True, True),
        ("io.TextIOBase.write", True, True, True),
        ("json.dump", True, True, True),
        ("list.append", False, False, True),
        ("logging.Logger.info", False, True, True),
        ("queue.Queue.put", False, False, True),
        ("io.StringIO.write", False, True, True),
        ("mem0.Memory.add", True, True, False),
        ("langgraph.checkpoint.memory.InMemorySaver.put", False, True, True),
    ],
)
def test_captures_and_their_look_alikes(name: str, durable: bool, copies: bool, lossless: bool) -> None:
    """A durable record is told from memory, logs, references and lossy memories."""
    hit = MODELS.captures.find([name], name.rpartition(".")[2], ())
    assert hit is not None
    assert (hit.entry.durable, hit.entry.copies, hit.entry.lossless) == (durable, copies, lossless)
    assert hit.exact


@pytest.mark.parametrize(
    ("method", "receiver", "captured"),
    [
        ("capture", "sidecar", True),
        ("record_turn", "recorder", True),
        ("append", "SessionLog", True),
        ("append_turns", "EventStore", True),
        ("store", "archive", True),
        ("append", "errors", False),
        ("append", "messages", False),
        ("append", "episodes", False),
        ("add", "seen", False),
        ("update", "state", False),
        ("push", "plumbing", False),
        ("set_metadata", "sidecar", False),
    ],
)
def test_captures_by_shape_leave_ordinary_containers_alone(method: str, receiver: str, captured: bool) -> None:
    """Only receivers whose name says what they are for count."""
    hit = MODELS.captures.find([], method, [receiver])
    assert (hit is not None and hit.entry.durable) is captured


def test_an_asynchronous_recorder_is_known_by_its_class() -> None:
    """``AsyncSidecar.capture`` must be awaited."""
    hit = MODELS.captures.find([], "capture", ["sidecar", "AsyncSidecar"])
    assert hit is not None
    assert hit.entry.is_async
    plain = MODELS.captures.find([], "capture", ["sidecar", "Sidecar"])
    assert plain is not None
    assert not plain.entry.is_async


def test_sql_captures_only_when_it_writes() -> None:
    """A SELECT or DELETE records nothing."""
    hit = MODELS.captures.find(["sqlite3.Connection.execute"], "execute", ())
    assert hit is not None
    assert hit.entry.when is not None
    assert hit.entry.when.holds(True, "INSERT INTO archive(body) VALUES (?)")
    assert hit.entry.when.holds(True, "REPLACE INTO archive VALUES (?)")
    assert not hit.entry.when.holds(True, "SELECT body FROM archive")
    assert not hit.entry.when.holds(True, "DELETE FROM archive")


@pytest.mark.parametrize(
    ("name", "result", "technique"),
    [
        ("langchain_core.messages.trim_messages", "view", "truncation"),
        ("langchain.agents.middleware.SummarizationMiddleware", "config", "compaction"),
        ("autogen_core.model_context.BufferedChatCompletionContext", "view", "truncation"),
        ("llmlingua.PromptCompressor.compress_prompt", "view", "hard-compression"),
        ("collections.deque", "config", "truncation"),
        ("semantic_kernel.contents.ChatHistorySummarizationReducer.reduce", "in-place", "compaction"),
    ],
)
def test_reducers(name: str, result: str, technique: str) -> None:
    """Library reducers are known with what they do to the original."""
    hit = MODELS.reducers.find([name], name.rpartition(".")[2], ())
    assert hit is not None
    assert (hit.entry.result, hit.entry.technique) == (result, technique)


@pytest.mark.parametrize(
    ("name", "cap", "stop", "cut"),
    [
        ("openai.OpenAI.chat.completions.create", "max_tokens", "choices[0].finish_reason", "length"),
        ("openai.OpenAI.responses.create", "max_output_tokens", "status", "incomplete"),
        ("anthropic.Anthropic.messages.create", "max_tokens", "stop_reason", "max_tokens"),
        (
            "google.genai.Client.models.generate_content",
            "config.max_output_tokens",
            "candidates[0].finish_reason",
            "MAX_TOKENS",
        ),
        ("ollama.chat", "options.num_predict", "done_reason", "length"),
        ("litellm.completion", "max_tokens", "choices[0].finish_reason", "length"),
        ("mistralai.Mistral.chat.complete", "max_tokens", "choices[0].finish_reason", "model_length"),
        ("cohere.ClientV2.chat", "max_tokens", "finish_reason", "MAX_TOKENS"),
        ("botocore.client.BaseClient.converse", "inferenceConfig.maxTokens", '["stopReason"]', "max_tokens"),
    ],
)
def test_model_calls_of_the_providers(name: str, cap: str, stop: str, cut: str) -> None:
    """Cap, stop reason and its value for a cut are known for each provider."""
    hit = MODELS.calls.find([name], name.rpartition(".")[2], ())
    assert hit is not None
    assert cap in hit.entry.caps
    assert stop in hit.entry.stops
    assert cut in hit.entry.cut_values
    assert hit.entry.inputs


@pytest.mark.parametrize(
    ("method", "receiver", "stop"),
    [
        ("create", "completions", "choices[0].finish_reason"),
        ("create", "messages", "stop_reason"),
        ("create", "responses", "incomplete_details.reason"),
    ],
)
def test_clients_of_unknown_type_are_known_by_shape(method: str, receiver: str, stop: str) -> None:
    """The last part of the receiver tells the provider's answer format."""
    hit = MODELS.calls.find([], method, [receiver])
    assert hit is not None
    assert hit.entry.stops[0] == stop
    assert not hit.exact


def test_model_calls_are_sinks_and_sources() -> None:
    """What a call reads and gives follows from its one entry."""
    name = "anthropic.Anthropic.messages.create"
    sink = MODELS.sinks.find([name], "create", ())
    source = MODELS.sources.find([name], "create", ())
    assert sink is not None
    assert source is not None
    assert (sink.entry.kind, sink.entry.values) == ("model", ("messages", "system"))
    assert (source.entry.kind, source.entry.shape) == ("model-output", "text")


def test_a_constructor_is_neither_sink_nor_source() -> None:
    """An object that carries a cap reads and answers nothing itself."""
    name = "langchain_openai.ChatOpenAI"
    hit = MODELS.calls.find([name], "ChatOpenAI", ())
    assert hit is not None
    assert hit.entry.constructor
    assert MODELS.sinks.find([name], "ChatOpenAI", ()) is None
    assert MODELS.sources.find([name], "ChatOpenAI", ()) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("messages", "conversation"),
        ("chat_history", "conversation"),
        ("turns", "conversation"),
        ("stdout", "tool-output"),
        ("tool_output", "tool-output"),
        ("page", "document"),
        ("documents", "document"),
        ("final_answer", "model-output"),
        ("system_prompt", "prompt"),
        ("error_messages", None),
        ("output_path", None),
        ("max_output", None),
        ("message_ids", None),
        ("command_history", None),
        ("next_page", None),
        ("embeddings", None),
        ("count", None),
    ],
)
def test_sources_by_name(name: str, kind: str | None) -> None:
    """Telling names are context, look-alikes are not."""
    source = MODELS.named_sources.find(name)
    assert (source.kind if source else None) == kind


@pytest.mark.parametrize(
    ("decorators", "bases", "method", "is_tool"),
    [
        (["langchain_core.tools.tool"], [], "fetch", True),
        (["app.server.mcp.tool"], [], "fetch", True),
        (["functools.cache"], [], "fetch", False),
        ([], ["smolagents.Tool"], "forward", True),
        ([], ["smolagents.Tool"], "setup", False),
        ([], ["app.base.BaseTool"], "_run", True),
        ([], ["app.base.Thing"], "_run", False),
    ],
)
def test_tool_functions(decorators: list[str], bases: list[str], method: str, is_tool: bool) -> None:
    """What a tool returns reaches the model; a decorator or a base class tells."""
    sink = MODELS.tool_return(decorators, bases, method)
    assert (sink is not None and sink.kind == "tool-return") is is_tool


def test_message_dicts() -> None:
    """A dict with a role or a tool-call id carries context under known keys."""
    assert MODELS.message_keys(["role", "content", "name"]) == {"content"}
    assert MODELS.message_keys(["type", "call_id", "output"]) == {"output"}
    assert MODELS.message_keys(["path", "content"]) == frozenset()


@pytest.mark.parametrize(
    ("name", "returns"),
    [
        ("open", "io.TextIOBase"),
        ("pathlib.Path.open", "io.TextIOBase"),
        ("pathlib.Path.parent", "pathlib.Path"),
        ("sqlite3.connect", "sqlite3.Connection"),
        ("boto3.client", "botocore.client.BaseClient"),
        ("tempfile.NamedTemporaryFile", "tempfile._TemporaryFileWrapper"),
    ],
)
def test_types(name: str, returns: str) -> None:
    """Functions and attributes lead to the class of their result."""
    hit = MODELS.types.find([name], name.rpartition(".")[2], ())
    assert hit is not None
    assert hit.entry.returns == returns


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("json.dumps", "deep"),
        ("copy.deepcopy", "deep"),
        ("list", "shallow"),
        ("copy.copy", "shallow"),
        ("typing.cast", "none"),
    ],
)
def test_renderings(name: str, copy: str) -> None:
    """Each rendering says what it shares with the value."""
    hit = MODELS.renderings.find([name], name.rpartition(".")[2], ())
    assert hit is not None
    assert hit.entry.copy == copy
    assert hit.entry.lossless


def test_sidecars_are_known_by_name_and_by_class() -> None:
    """An attribute name, a class name or a qualified class is enough."""
    assert MODELS.is_sidecar("session_log")
    assert MODELS.is_sidecar("x", ["app.AsyncSidecar"])
    assert MODELS.is_sidecar("x", ["langgraph.checkpoint.sqlite.SqliteSaver"])
    assert not MODELS.is_sidecar("messages", ["builtins.list"])


@pytest.mark.parametrize(
    ("name", "accepts"),
    [
        ("compact_allow_lossy", True),
        ("allow_loss", True),
        ("allow_discard", True),
        ("compact_after_messages", False),
        ("max_images", False),
        ("discard_after", False),
    ],
)
def test_a_flag_accepts_loss_only_when_its_name_says_so(name: str, accepts: bool) -> None:
    """Feature switches and thresholds are no opt-in."""
    assert MODELS.names.opt_in_flags.match(name) is accepts


def test_handlers_of_explicit_commands() -> None:
    """A clear by the person is known by its handler's name."""
    handlers = MODELS.names.command_handlers
    assert all(handlers.match(name) for name in ("cmd_clear", "handle_undo", "on_reset", "reset"))
    assert not any(handlers.match(name) for name in ("compact", "on_stall", "trim", "rotate"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Answer yes or no: is this spam?", "yes-no"),
        ("Give a title for this thread", "title"),
        ("is_classified", "classification"),
        ("Write a report about shopping", None),
        ("ping_model", "ping"),
    ],
)
def test_short_kinds_of_answers(text: str, kind: str | None) -> None:
    """A prompt or a function name tells the kind; words are matched at their beginning."""
    assert MODELS.max_tokens.kind_of(text) == kind


def test_signals_hold_reducers_and_caps_but_no_captures() -> None:
    """The prefilter looks for what can reduce."""
    signals = MODELS.signals()
    assert {
        "trim_messages",
        "compress_prompt",
        "max_tokens",
        "num_predict",
        "SummarizationMiddleware",
    } <= signals
    assert not {"write_text", "append", "print"} & signals
    assert {"messages", "stdout"} <= MODELS.context_words


def with_entries() -> Models:
    """The shipped models and some entries of a user."""
    return load_models(
        {
            "captures": [
                {"call": "app.log.keep", "value": "turn", "async": True},
                {"call": "json.dump", "durable": False},
            ],
            "compressors": [{"call": "app.squeeze"}],
            "sidecars": [{"type": "app.Vault", "name": "vault"}],
            "notice": {"retained": ["Kept in the Vault"]},
            "max-tokens": {"floor": 512, "kinds": {"haiku": 0}},
            "opt-in-flags": ["yolo"],
            "imported-prefix-names": ["borrowed"],
        }
    )


def test_entries_of_the_user_are_added_and_win() -> None:
    """They use the same format and come before the shipped ones."""
    models = with_entries()
    own = models.captures.find(["app.log.keep"], "keep", ())
    changed = models.captures.find(["json.dump"], "dump", ())
    squeeze = models.reducers.find(["app.squeeze"], "squeeze", ())
    assert own is not None
    assert changed is not None
    assert squeeze is not None
    assert (own.entry.values, own.entry.is_async) == (("turn",), True)
    assert not changed.entry.durable
    assert squeeze.entry.technique == "hard-compression"
    assert models.is_sidecar("vault")
    assert models.is_sidecar("x", ["app.Vault"])
    assert "kept in the vault" in models.notice.retained
    assert models.names.opt_in_flags.match("yolo")
    assert models.names.imported_prefix.match("borrowed")
    assert (models.max_tokens.floor, models.max_tokens.kinds["haiku"]) == (512, 0)
    assert models.max_tokens.kinds["title"] == 0


def test_the_shipped_models_stay_as_they_are() -> None:
    """Entries of one user do not leak into the next load."""
    with_entries()
    models = load_models()
    assert models.captures.find(["app.log.keep"], "keep", ()) is None
    assert not models.names.opt_in_flags.match("yolo")
    assert "haiku" not in models.max_tokens.kinds
    assert load_models() is models
