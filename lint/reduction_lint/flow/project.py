"""The program around a function: modules, classes, functions, and their summaries, loaded and computed on demand.

Nothing is parsed until somebody asks: a module's text is split into chunks when a name in it is looked up, a chunk is parsed
when its function is interpreted or called. Summaries are memoised; a function that is still being summarised (recursion) answers
"unknown", which is sound for captures: an unknown call captures nothing.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import libcst as cst

from reduction_lint.flow import ir
from reduction_lint.flow.base import EventTable
from reduction_lint.flow.exits import merged_exits
from reduction_lint.flow.interp import Interpreter
from reduction_lint.flow.kinds import Classifier
from reduction_lint.flow.literals import read_collection
from reduction_lint.flow.losses import returns_cut
from reduction_lint.flow.lower import lower_function, lower_statements
from reduction_lint.flow.relevance import Relevance
from reduction_lint.flow.unit import Summary, Unit
from reduction_lint.flow.values import Arena, Kind, Value
from reduction_lint.flow.work import Work
from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.chunks import Chunk, split
from reduction_lint.syntax.imports import ImportTable, import_table
from reduction_lint.syntax.parser import Parsed, parse
from reduction_lint.syntax.quiet import parse_ast
from reduction_lint.workspace.sources import Source

_VARIABLE = re.compile(r"^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)|^([A-Za-z_]\w*)\s*:\s*\S")
_ASSIGNED = re.compile(r"^\s*(?:\w+\.)*(\w+)\s*(?::[^=]+)?=")
_WRITTEN = re.compile(r"\bself\.(\w+)\s*(?::[^=\n]+)?=(?!=)")
_DEFINED = re.compile(r"^\s*(?:async\s+)?def\s+(\w+)")
_WRAPPERS = re.compile(r"^(?:typing\.|t\.)?(?:Optional|Annotated|Final|ClassVar|Required|NotRequired)\[(.*)\]$", re.S)
_NOT_A_CLASS = frozenset(
    [
        "None",
        "Any",
        "object",
        "list",
        "dict",
        "tuple",
        "set",
        "str",
        "int",
        "float",
        "bool",
        "bytes",
        "List",
        "Dict",
        "Sequence",
        "Iterable",
        "Callable",
        "Literal",
        "Union",
        "Self",
    ]
)
_BUILDERS = ("__init__", "__post_init__")
MAX_DEPTH = 12


@dataclass(slots=True)
class ClassInfo:
    """A class of the project; attribute facts are filled in when first asked for."""

    qual: str
    module: Module
    name: str
    bases: tuple[str, ...]
    methods: dict[str, Chunk] = field(default_factory=dict)
    statements: list[Chunk] = field(default_factory=list)
    types: dict[str, str] | None = None
    unions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes annotated with several classes."""
    defaults: dict[str, tuple[object, ...]] = field(default_factory=dict)
    optional: set[str] = field(default_factory=set)
    writers: dict[str, list[Chunk]] | None = None
    late: set[str] = field(default_factory=set)
    """Attributes that were looked for in other methods than the constructor."""


@dataclass(slots=True)
class Module:
    """One file: its chunks, imports and definitions."""

    name: str
    is_package: bool
    source: Source
    chunks: list[Chunk]
    imports: ImportTable
    functions: dict[str, Chunk] = field(default_factory=dict)
    classes: dict[str, ClassInfo] = field(default_factory=dict)
    variables: dict[str, Chunk] = field(default_factory=dict)


class Project:
    """Implements :class:`reduction_lint.flow.unit.Program` over the files of a project."""

    def __init__(
        self,
        models: Models,
        files: Mapping[str, tuple[Path, bool]],
        load: Callable[[Path], Source | None],
        declarations: Callable[[Source], Mapping[int, Mapping[str, object]]] | None = None,
    ) -> None:
        """``files`` maps dotted module names to (path, is a package); ``load`` reads one or answers None."""
        self.models = models
        self.files = files
        self.load = load
        self.declarations = declarations
        self.arena = Arena()
        self.classifier = Classifier(models)
        self.events = EventTable()
        self.modules: dict[str, Module | None] = {}
        self.units: dict[str, Unit] = {}
        self.interpreters: dict[str, Interpreter] = {}
        self.summaries: dict[str, Summary | None] = {}
        self.parsed: dict[int, Parsed] = {}
        self.limits: list[str] = []
        self.limited: list[tuple[str, str]] = []
        """(path, function) where not every path could be kept apart."""
        self.failed: set[str] = set()
        self.crashes: list[tuple[str, str]] = []
        """(path, message) of functions that could not be analysed because of a bug."""
        self.declared_reducers: set[str] = set()
        """Names of functions that a comment declares to reduce a parameter."""
        self.relevance = Relevance(models)
        self.work = Work()
        self._running: list[str] = []
        self._variables: dict[str, tuple[str, tuple[object, ...]]] = {}

    # -- modules ----------------------------------------------------------------------------------------------------

    def module(self, name: str) -> Module | None:
        """The module with a dotted name, split into chunks on first use."""
        if name not in self.modules:
            self.modules[name] = None
            entry = self.files.get(name)
            source = self.load(entry[0]) if entry is not None else None
            if entry is not None and source is not None:
                self.modules[name] = self.add_module(name, entry[1], source)
            elif entry is None:
                self.modules[name] = self._inside_namespace(name)
        return self.modules[name]

    def _inside_namespace(self, name: str) -> Module | None:
        """A module of a package inside a namespace package: its name starts at the package, imports may say all of it."""
        wanted = name.split(".")
        for start in range(1, len(wanted)):
            entry = self.files.get(".".join(wanted[start:]))
            if entry is not None:
                path = entry[0].parent if entry[1] else entry[0].with_suffix("")
                return self.module(".".join(wanted[start:])) if path.parts[-len(wanted) :] == tuple(wanted) else None
        return None

    def add_module(self, name: str, is_package: bool, source: Source) -> Module:
        """Index the definitions of a source text."""
        chunks = self.split(source)
        self._read_declarations(source)
        module = Module(name, is_package, source, chunks, import_table(chunks, name, is_package))
        self.modules[name] = module
        for chunk in chunks:
            if chunk.kind == "function":
                module.functions[chunk.name] = chunk
            elif chunk.kind == "class":
                path = ".".join((*chunk.class_path, chunk.name))
                module.classes[path] = ClassInfo(f"{name}.{path}", module, path, chunk.bases)
            elif chunk.class_path:
                info = module.classes.get(".".join(chunk.class_path))
                if info is not None and chunk.kind == "method":
                    info.methods[chunk.name] = chunk
                elif info is not None:
                    info.statements.append(chunk)
            elif chunk.kind == "statement":
                match = _VARIABLE.match(chunk.text)
                if match:
                    module.variables.setdefault(match.group(1) or match.group(2), chunk)
        return module

    def _read_declarations(self, source: Source) -> None:
        """What comments declare: attributes that hold conversation, functions that reduce, probes."""
        if self.declarations is None or "reduction-lint:" not in source.text:
            return
        lines = source.text.split("\n")
        for line, kinds in self.declarations(source).items():
            text = lines[line - 1] if line <= len(lines) else ""
            assigned, defined = _ASSIGNED.match(text), _DEFINED.match(text)
            if "transcript" in kinds and assigned:
                self.classifier.declared.add(assigned.group(1))
            if "probe" in kinds:
                self.classifier.declared_probes.update(found.group(1) for found in (assigned, defined) if found)
            if "reduces" in kinds and defined:
                self.declared_reducers.add(defined.group(1))

    def split(self, source: Source) -> list[Chunk]:
        """The chunks of a file."""
        return split(source.text)

    def lower(self, chunk: Chunk, parsed: Parsed, qualname: str, module: Module) -> ir.Function:
        """The flow graph of a parsed chunk."""
        return _lowered(chunk, parsed, qualname, module)

    def parse(self, chunk: Chunk) -> Parsed:
        """Parse a chunk once."""
        known = self.parsed.get(id(chunk))
        if known is None:
            self.work.chunks_parsed += 1
            known = self.parsed[id(chunk)] = parse(chunk)
        return known

    # -- names ------------------------------------------------------------------------------------------------------

    def locate(self, dotted: str, depth: int = 0) -> tuple[Module, str] | None:
        """(module, rest of the name) of a dotted name, followed through re-exports."""
        names = dotted.split(".")
        for cut in range(len(names) - 1, 0, -1):
            module = self.module(".".join(names[:cut]))
            if module is None:
                continue
            rest = names[cut:]
            head = rest[0]
            if head in module.functions or head in module.classes or head in module.variables:
                return module, ".".join(rest)
            target = module.imports.names.get(head)
            if target is not None and target != dotted and depth < 6:
                return self.locate(".".join((target, *rest[1:])), depth + 1)
            for star in module.imports.stars:
                if depth < 6 and star != module.name:
                    found = self.locate(".".join((star, *rest)), depth + 1)
                    if found is not None:
                        return found
            return None
        return None

    def resolve_name(self, unit: Unit, name: str) -> str:
        """See :class:`Program`."""
        module = self.modules.get(unit.module)
        if module is None:
            return ""
        if name in module.functions or name in module.classes or name in module.variables:
            return f"{module.name}.{name}"
        if name in module.imports.names:
            return module.imports.names[name]
        for star in module.imports.stars:
            if self.locate(f"{star}.{name}") is not None:
                return f"{star}.{name}"
        return ""

    def resolve_type(self, unit: Unit, annotation: str) -> str:
        """See :class:`Program`."""
        return self._type(unit.module, annotation)

    def _type(self, module_name: str, annotation: str, depth: int = 0) -> str:
        annotation = annotation.strip().strip("\"'")
        wrapped = _WRAPPERS.match(annotation)
        if wrapped and depth < 4:
            return self._type(module_name, _split_top(wrapped.group(1), ",")[0], depth + 1)
        for option in _split_top(annotation, "|"):
            option = option.strip().strip("\"'")
            head = option.partition("[")[0].strip()
            if not head or head in _NOT_A_CLASS:
                continue
            first, _, rest = head.partition(".")
            base = self.resolve_name(Unit("", module_name, _NO_FUNCTION), first)
            if base:
                found = self.class_of(f"{base}.{rest}" if rest else base)
                return found.qual if found is not None else (f"{base}.{rest}" if rest else base)
            if head[:1].isupper():
                return head
        return ""

    def resolve_union(self, module_name: str, annotation: str) -> tuple[str, ...]:
        """All classes of an annotation such as ``FileSink | NullSink``."""
        text = annotation.strip()
        if text.startswith(("Union[", "typing.Union[")):
            text = " | ".join(_split_top(text[text.index("[") + 1 : -1], ","))
        found = (self._type(module_name, option) for option in _split_top(text, "|"))
        return tuple(dict.fromkeys(name for name in found if name))

    def alternatives(self, class_name: str, attribute: str) -> tuple[str, ...]:
        """See :class:`Program`."""
        for info in self.bases(class_name):
            self._attributes(info)
            if attribute in info.unions:
                return info.unions[attribute]
        return ()

    def class_of(self, dotted: str) -> ClassInfo | None:
        """The project class with a dotted name (re-exports followed)."""
        found = self.locate(dotted) if "." in dotted else None
        return found[0].classes.get(found[1]) if found is not None else None

    def constant(self, dotted: str) -> tuple[object, ...]:
        """See :class:`Program`."""
        return self._variable(dotted)[1]

    def collection(self, dotted: str) -> tuple[tuple[str, object], ...]:
        """See :class:`Program`."""
        found = self.locate(dotted) if "." in dotted else None
        if found is None or found[1] not in found[0].variables:
            return ()
        return read_collection(found[0].variables[found[1]].text, found[1])

    def variable_type(self, dotted: str) -> str:
        """See :class:`Program`."""
        return self._variable(dotted)[0]

    def _variable(self, dotted: str) -> tuple[str, tuple[object, ...]]:
        """(type, literal) of a module-level variable."""
        if dotted in self._variables:
            return self._variables[dotted]
        self._variables[dotted] = ("", ())
        found = self.locate(dotted) if "." in dotted else None
        if found is not None and found[1] in found[0].variables:
            self._variables[dotted] = self._read_variable(*found)
        return self._variables[dotted]

    def _read_variable(self, module: Module, name: str) -> tuple[str, tuple[object, ...]]:
        """Read with ``ast``: a literal or the class of a call needs no concrete tree."""
        try:
            tree = parse_ast(module.variables[name].text)
        except SyntaxError:
            return "", ()
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if not any(isinstance(target, ast.Name) and target.id == name for target in targets):
                continue
            value = getattr(node, "value", None)
            literal = _literal(value)
            if literal:
                return "", literal
            if isinstance(value, ast.Call):
                return self._type_of_call(self._dotted_ast(module, value.func)), ()
            if isinstance(node, ast.AnnAssign) and value is None:
                return self._type(module.name, ast.unparse(node.annotation)), ()
        return "", ()

    def _dotted_ast(self, module: Module, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return self.resolve_name(Unit("", module.name, _NO_FUNCTION), node.id) or node.id
        if isinstance(node, ast.Attribute):
            base = self._dotted_ast(module, node.value)
            return f"{base}.{node.attr}" if base else ""
        return self._type_of_call(self._dotted_ast(module, node.func)) if isinstance(node, ast.Call) else ""

    def _call_type(self, module: Module, call: ir.Call, registers: Mapping[int, ir.Instr]) -> str:
        """Dotted class of what a call at module or constructor level returns."""
        dotted = ""
        if call.func is not None:
            made = registers.get(call.func)
            dotted = self._dotted(module, made, registers)
        elif call.recv is not None:
            base = self._dotted(module, registers.get(call.recv), registers)
            dotted = f"{base}.{call.method}" if base and base.partition(".")[0] != "self" else ""
        return self._type_of_call(dotted)

    def _type_of_call(self, dotted: str) -> str:
        """Dotted class of what calling ``dotted`` gives: by a model, a class of the project, or the name itself."""
        if not dotted:
            return ""
        hit = self.models.types.find((dotted,), dotted.rpartition(".")[2], ())
        if hit is not None and hit.exact:
            return hit.entry.returns
        info = self.class_of(dotted)
        if info is not None:
            return info.qual
        found = self.locate(dotted)
        return "" if found is not None and found[1] in found[0].functions else dotted

    def _dotted(self, module: Module, instr: ir.Instr | None, registers: Mapping[int, ir.Instr]) -> str:
        if isinstance(instr, ir.Name):
            unit = Unit("", module.name, _NO_FUNCTION)
            return self.resolve_name(unit, instr.name) or instr.name
        if isinstance(instr, ir.Attr):
            base = self._dotted(module, registers.get(instr.obj), registers)
            return f"{base}.{instr.name}" if base else ""
        if isinstance(instr, ir.Call):
            return self._call_type(module, instr, registers)
        return ""

    # -- classes ----------------------------------------------------------------------------------------------------

    def bases(self, class_name: str) -> list[ClassInfo]:
        """The class and its project bases, depth first (close to the method resolution order; cycles are cut)."""
        result: list[ClassInfo] = []
        stack = [class_name]
        seen: set[str] = set()
        while stack and len(seen) < 40:
            name = stack.pop()
            info = self.class_of(name)
            if info is None or info.qual in seen:
                continue
            seen.add(info.qual)
            result.append(info)
            stack.extend(reversed([self._type(info.module.name, base) for base in info.bases]))
        return result

    def is_class(self, dotted: str) -> bool:
        """See :class:`Program`."""
        return self.class_of(dotted) is not None

    def base_names(self, class_name: str) -> Sequence[str]:
        """See :class:`Program`."""
        names: list[str] = []
        for info in self.bases(class_name):
            for base in info.bases:
                dotted = self._type(info.module.name, base)
                names += [dotted, base.partition("[")[0].rpartition(".")[2]]
        return [name for name in names if name]

    def _attributes(self, info: ClassInfo) -> dict[str, str]:
        if info.types is None:
            info.types = {}
            for chunk in info.statements:
                self._class_statement(info, chunk)
            for name in _BUILDERS:
                if name in info.methods:
                    self._constructor(info, info.methods[name])
        return info.types

    def _class_statement(self, info: ClassInfo, chunk: Chunk) -> None:
        if not _VARIABLE.match(chunk.text.strip()):
            return
        parsed = self.parse(chunk)
        assert info.types is not None
        for statement in parsed.statements if parsed.problem is None else ():
            for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
                if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name):
                    text = cst.Module([]).code_for_node(small.annotation.annotation)
                    self._note_attribute(info, small.target.value, text)
                    if small.value is not None:
                        from reduction_lint.flow.lower_expr import literal

                        value = literal(small.value)
                        if value:
                            info.defaults[small.target.value] = value
                            if value[0] is None:
                                info.optional.add(small.target.value)

    def _note_attribute(self, info: ClassInfo, name: str, annotation: str) -> None:
        assert info.types is not None
        kind = self._type(info.module.name, annotation)
        if kind:
            info.types[name] = kind
        options = self.resolve_union(info.module.name, annotation)
        if len(options) > 1:
            info.unions[name] = options
        if re.search(r"\bNone\b|Optional\[", annotation):
            info.optional.add(name)

    def _constructor(self, info: ClassInfo, chunk: Chunk) -> None:
        unit = self.unit_of(info.module, chunk)
        if unit is None or info.types is None:
            return
        params = {p.name: p for p in unit.function.params}
        registers: dict[int, ir.Instr] = {}
        bound: dict[str, ir.Instr | None] = {}
        instructions = [instr for block in unit.function.blocks for instr in block.instrs]
        for instr in instructions:
            dst = getattr(instr, "dst", None)
            known = registers.get(dst) if dst is not None else None
            if isinstance(instr, ir.Move) and isinstance(_made_by(known, registers, bound), ir.Call):
                continue  # one arm of ``given or Default()`` makes an object: that tells the class
            if dst is not None:
                registers[dst] = instr
        for instr in instructions:
            if isinstance(instr, ir.SetName):
                bound[instr.name] = _made_by(registers.get(instr.src), registers, bound)
            elif isinstance(instr, ir.SetAttr):
                owner = registers.get(instr.obj)
                if isinstance(owner, ir.Name) and owner.name == unit.self_name:
                    made = _made_by(registers.get(instr.src), registers, bound)
                    self._constructor_store(info, instr, made, registers, params)

    def _constructor_store(
        self,
        info: ClassInfo,
        instr: ir.SetAttr,
        made: ir.Instr | None,
        registers: Mapping[int, ir.Instr],
        params: Mapping[str, ir.Param],
    ) -> None:
        assert info.types is not None
        if instr.annotation:
            self._note_attribute(info, instr.name, instr.annotation)
        if isinstance(made, ir.Name) and made.name in params:
            param = params[made.name]
            self._note_attribute(info, instr.name, param.annotation)
            if param.default:
                info.defaults[instr.name] = param.default
                if param.default[0] is None:
                    info.optional.add(instr.name)
        elif isinstance(made, ir.Const):
            info.defaults.setdefault(instr.name, (made.value,))
            if made.value is None:
                info.optional.add(instr.name)
        elif isinstance(made, ir.Call) and instr.name not in info.types:
            kind = self._call_type(info.module, made, registers)
            if kind:
                info.types[instr.name] = kind

    def attribute_type(self, class_name: str, attribute: str) -> str:
        """See :class:`Program`."""
        for info in self.bases(class_name):
            kind = self._attributes(info).get(attribute) or self._late_attribute(info, attribute)
            if kind:
                return kind
        return ""

    def _late_attribute(self, info: ClassInfo, attribute: str) -> str:
        """The class of an attribute that no constructor sets: of what other methods assign to it."""
        assert info.types is not None
        if attribute not in info.late:
            info.late.add(attribute)
            for chunk in self._writers(info).get(attribute, ())[:3]:
                self._constructor(info, chunk)
        return info.types.get(attribute, "")

    @staticmethod
    def _writers(info: ClassInfo) -> dict[str, list[Chunk]]:
        """Attribute -> the methods that assign to it, constructors left out."""
        if info.writers is None:
            info.writers = {}
            for name, chunk in info.methods.items():
                for attribute in dict.fromkeys(_WRITTEN.findall(chunk.text)) if name not in _BUILDERS else ():
                    info.writers.setdefault(attribute, []).append(chunk)
        return info.writers

    def attribute_default(self, class_name: str, attribute: str) -> tuple[object, ...]:
        """See :class:`Program`."""
        for info in self.bases(class_name):
            self._attributes(info)
            if attribute in info.defaults:
                return info.defaults[attribute]
        return ()

    def attribute_optional(self, class_name: str, attribute: str) -> bool:
        """See :class:`Program`."""
        return any(attribute in info.optional for info in self.bases(class_name) if self._attributes(info) is not None)

    def sidecar_attributes(self, class_name: str) -> Sequence[str]:
        """See :class:`Program`."""
        found: list[str] = []
        for info in self.bases(class_name):
            for name, kind in self._attributes(info).items():
                if self.models.is_sidecar(name, (kind,)):
                    found.append(name)
            found += [n for n in (*info.defaults, *info.optional) if n not in found and self.models.is_sidecar(n, ())]
        return found

    # -- units and summaries ----------------------------------------------------------------------------------------

    def unit_of(self, module: Module, chunk: Chunk) -> Unit | None:
        """The analysis unit of a function, method or statement chunk; None when it does not parse."""
        qualname = ".".join((*chunk.class_path, chunk.name)) if chunk.name else f"<module>@{chunk.start_line}"
        key = f"{module.name}:{qualname}:{chunk.start_line}"
        if key in self.units:
            return self.units[key]
        if key in self.failed:
            return None
        parsed = self.parse(chunk)
        if parsed.problem is not None or not parsed.statements:
            return None
        self.work.functions_lowered += 1
        try:
            function = self.lower(chunk, parsed, qualname, module)
        except Exception as error:
            self._crashed(module.source.display, qualname, error)
            self.failed.add(key)
            return None
        class_name = f"{module.name}.{'.'.join(chunk.class_path)}" if chunk.class_path else ""
        unit = Unit(key, module.name, function, class_name, parsed, module.source.display)
        unit.is_static = "staticmethod" in function.decorators
        if self.declarations is not None:
            table = self.declarations(module.source)
            for line in range(chunk.start_line, _definition_line(chunk) + 1):
                unit.declarations.update(table.get(line, {}))
        self.units[key] = unit
        return unit

    def summary(self, dotted: str) -> Summary | None:
        """See :class:`Program`."""
        found = self.locate(dotted) if "." in dotted else None
        if found is None:
            return None
        module, rest = found
        if rest in module.functions:
            return self._summary_of(module, module.functions[rest])
        owner, _, method = rest.rpartition(".")
        if owner in module.classes:
            return self.method_summary(module.classes[owner].qual, method)
        return None

    def method_summary(self, class_name: str, method: str, after: str = "") -> Summary | None:
        """See :class:`Program`."""
        for info in self.bases(class_name):
            if info.qual == after:
                continue
            chunk = info.methods.get(method)
            if chunk is not None:
                return self._summary_of(info.module, chunk)
        return None

    def nested_summary(self, unit: Unit, function: ir.Function) -> Summary | None:
        """See :class:`Program`."""
        key = f"{unit.module}:{function.qualname}:{unit.key}"
        nested = self.units.get(key)
        if nested is None:
            nested = Unit(key, unit.module, function, "", unit.owner, unit.path, parent=unit)
            self.units[key] = nested
        return self.summarise(nested)

    def _summary_of(self, module: Module, chunk: Chunk) -> Summary | None:
        if not self.relevance.callee_matters(chunk) and not self._has_declarations(module, chunk):
            return None
        unit = self.unit_of(module, chunk)
        return self.summarise(unit) if unit is not None else None

    def _crashed(self, path: str, name: str, error: Exception) -> None:
        self.crashes.append((path, f"internal error in {name}: {type(error).__name__}: {error} (a bug)"))

    def _has_declarations(self, module: Module, chunk: Chunk) -> bool:
        """Does a comment say something about this function?"""
        if self.declarations is None or "reduction-lint" not in chunk.text:
            return False
        table = self.declarations(module.source)
        return any(line in table for line in range(chunk.start_line, _definition_line(chunk) + 1))

    def summarise(self, unit: Unit) -> Summary | None:
        """Interpret a unit once and keep what callers need to know."""
        if unit.key in self.summaries:
            return self.summaries[unit.key]
        if unit.key in self._running or len(self._running) >= MAX_DEPTH:
            return None
        self._running.append(unit.key)
        interpreter = Interpreter(unit, self, self.models, self.arena, self.classifier, self.events)
        try:
            interpreter.run()
        except Exception as error:  # one function that cannot be interpreted must not hide the findings of the others
            self._crashed(unit.path, unit.function.qualname, error)
            self.summaries[unit.key] = None
            return None
        finally:
            self._running.pop()
            self.work.summaries += 1
            self.work.steps += interpreter.steps
        if interpreter.limit_hit:
            self.limited.append((unit.path, unit.function.qualname))
        function = unit.function
        exits = merged_exits(interpreter.exits, self.arena)
        summary = Summary(
            unit,
            exits,
            tuple(interpreter.obligations.values()),
            function.is_async,
            function.is_generator,
            is_trivial(function),
            not interpreter.limit_hit,
            any(returns_cut(exit_.result) or holds_gathered(exit_.result) for exit_ in exits),
            tuple(interpreter.sunk.values()),
            tuple(interpreter.impure.values()),
            tuple(interpreter.entries),
        )
        self.interpreters[unit.key] = interpreter
        self.summaries[unit.key] = summary
        for nested in function.nested:
            self.nested_summary(unit, nested)
        return summary


def _made_by(
    instr: ir.Instr | None, registers: Mapping[int, ir.Instr], bound: Mapping[str, ir.Instr | None]
) -> ir.Instr | None:
    """The instruction that made a value: through local names, and the last arm of ``given or Default()``."""
    for _ in range(6):
        if isinstance(instr, ir.Move):
            instr = registers.get(instr.src)
        elif isinstance(instr, ir.Name) and bound.get(instr.name) is not None:
            return bound[instr.name]
        else:
            break
    return instr


def holds_gathered(value: Value) -> bool:
    """Does a result hold, even inside an object, what a loop gathered up to a limit? Its callers know what it is."""
    stack, seen = [value], set[int]()
    while stack and len(seen) < 60:
        part = stack.pop()
        if part.id in seen:
            continue
        seen.add(part.id)
        if part.kind is Kind.REDUCED and part.name == "limit":
            return True
        if part.kind not in (Kind.DERIVED, Kind.SUMMARY):
            stack.extend(part.ops)
    return False


def _lowered(chunk: Chunk, parsed: Parsed, qualname: str, module: Module) -> ir.Function:
    """The flow graph of a function or method chunk, or of the statements of any other chunk."""
    if chunk.kind in ("function", "method"):
        for statement in parsed.statements:
            if isinstance(statement, cst.FunctionDef):
                return lower_function(statement, qualname, module.name, module.is_package)
    return lower_statements(parsed.statements, module.name, module.is_package)


_FOLDS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def _literal(node: ast.AST | None, depth: int = 0) -> tuple[object, ...]:
    """The value of a literal or of simple arithmetic on literals (``16 * 1024``) as a 1-tuple, else ()."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _literal(node.operand, depth + 1)
        return (-inner[0],) if inner and isinstance(inner[0], (int, float)) else ()
    if isinstance(node, ast.BinOp) and type(node.op) in _FOLDS and depth < 8:
        left, right = _literal(node.left, depth + 1), _literal(node.right, depth + 1)
        numbers = all(isinstance(v, (int, float)) for v in (*left, *right))
        texts = isinstance(node.op, ast.Add) and all(isinstance(v, str) for v in (*left, *right))
        if left and right and (numbers or texts):
            try:
                return (_FOLDS[type(node.op)](left[0], right[0]),)
            except (ZeroDivisionError, OverflowError):
                return ()
    return ()


def _definition_line(chunk: Chunk) -> int:
    """The line of the ``def`` in a chunk that may begin with comments and decorators."""
    for offset, line in enumerate(chunk.text.split("\n")):
        if line.lstrip().startswith(("def ", "async def ")):
            return chunk.start_line + offset
    return chunk.start_line


_EFFECTS = (ir.Call, ir.SetAttr, ir.SetItem, ir.SetSlice, ir.DelAttr, ir.DelItem, ir.DelSlice, ir.Await, ir.Yield)


def is_trivial(function: ir.Function) -> bool:
    """A body that only passes, raises NotImplementedError or holds a docstring."""
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, _EFFECTS):
                if isinstance(instr, ir.Call) and isinstance(block.end, ir.Raise):
                    continue
                return False
    return all(not isinstance(b.end, (ir.Branch, ir.ForNext)) for b in function.blocks) and not any(
        isinstance(b.end, ir.Return) and b.end.src is not None for b in function.blocks
    )


def _split_top(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return parts


_NO_FUNCTION = ir.Function("", "", [], [], [])
