"""Runs a flow graph on disjunctive states: each path keeps its own facts until too many have to be merged.

This is the must-analysis: a fact holds at a point when it holds in every state there. Keeping paths apart for as long as
possible is what makes correlated tests work (`if self.sidecar is None: return` far above). The technique is that of
separation-logic analysers with bounded disjunction (O'Hearn's incorrectness logic tools keep 20 paths); loops are entered at
most twice per path, which suffices for facts that only need "not at all", "once" and "again".
"""

from __future__ import annotations

import heapq

from reduction_lint.flow import ir
from reduction_lint.flow.plan import Plan, plan_of
from reduction_lint.flow.state import AtomKey, Place, State, mark_captured, merge
from reduction_lint.flow.transfer import Transfer
from reduction_lint.flow.values import Kind, Value, is_empty

MAX_STATES = 8
MAX_STEPS = 1500
MAX_TURNS = 1
_NEGATED = {"!=": "==", "not in": "in", "<=": ">", ">=": "<", "is not": "is"}


class Interpreter(Transfer):
    """Runs one unit; collects events and exits through the hooks of :class:`Transfer`."""

    plan: Plan

    def run(self) -> None:
        """Interpret the function from its entry to every exit."""
        blocks = self.unit.function.blocks
        self.plan = plan_of(self.unit.function)
        order = _reverse_postorder(blocks)
        pending: dict[int, list[State]] = {0: [self.entry_state()]}
        queue = [(order[0], 0)]
        steps = 0
        while queue:
            _, block_id = heapq.heappop(queue)
            states = pending.pop(block_id, [])
            if not states:
                continue
            states = self._reduce(states)
            for state in states:
                steps += 1
                if steps > MAX_STEPS:
                    self.limit_hit = True
                    self.at_exit(state, None, None)
                    continue
                for target, after in self._block(block_id, blocks[block_id], state):
                    for head in self.plan.loops.left.get((block_id, target), ()):
                        self.loop_left(after, head)
                    if target not in pending:
                        pending[target] = []
                        heapq.heappush(queue, (order.get(target, target), target))
                    pending[target].append(after)

    def _reduce(self, states: list[State]) -> list[State]:
        """Drop equal states; merge alike ones, and then any, until few enough are left."""
        if len(states) == 1:
            return states
        unique = list({state.signature(): state for state in states}.values())
        if len(unique) <= MAX_STATES // 2:
            return unique
        groups: dict[tuple[object, ...], list[State]] = {}
        for state in unique:
            groups.setdefault(state.coarse(), []).append(state)
        merged = [merge(group, self.arena) if len(group) > 1 else group[0] for group in groups.values()]
        if len(merged) <= MAX_STATES:
            return merged
        self.limit_hit = True
        for state in merged[MAX_STATES:]:
            self.at_exit(state, None, None)
        return merged[:MAX_STATES]

    def _few(self, states: list[State]) -> list[State]:
        """The paths that calls in one block left, bounded: each call may double them, so their number would explode.

        Real paths are kept, not merged ones: the choices that merging makes would grow with every further call.
        """
        unique = list({state.signature(): state for state in states}.values())
        kept: dict[tuple[object, ...], State] = {}
        for state in unique if len(unique) > MAX_STATES else ():
            kept.setdefault(state.coarse(), state)
        self.limit_hit = self.limit_hit or len(unique) > MAX_STATES
        return list(kept.values())[:MAX_STATES] if kept else unique

    def at_exit(self, state: State, value: Value | None, place: Place | None) -> None:
        """A path ends normally (or was cut off by a bound): judge it and remember what it did for callers."""
        if value is not None and place is not None:
            self.handed_out(state, value, place.site)
        self.judge_all(state, value)
        self.caps_at_exit(state)
        if value is not None:
            self.remember(state, value)

    def at_raise(self, state: State) -> None:
        """A path ends in an exception: what was changed in place or bound anew stays changed."""
        self.judge_all(state, None, texts=False)

    # -- one block --------------------------------------------------------------------------------------------------

    def _block(self, block_id: int, block: ir.Block, state: State) -> list[tuple[int, State]]:
        if block.loop_head and not self._enter_loop(block_id, state):
            if not isinstance(block.end, ir.ForNext):
                self.at_exit(state, None, None)
                return []
        out: list[tuple[int, State]] = []
        if block.exc is not None and block.may_raise:
            out.append((block.exc, state.fork()))
        states = [state]
        for instr in block.instrs:
            following: list[State] = []
            for current in states:
                following += self.step(instr, current)
            self.steps += len(states)
            states = self._few(following) if len(following) > MAX_STATES else following
        for current in states:
            out += self._end(block_id, block, current)
        crossing = self.plan.crossing
        for _, after in out:
            after.regs = {reg: value for reg, value in after.regs.items() if reg in crossing}
        return out

    def _enter_loop(self, block_id: int, state: State) -> bool:
        """Count the turn. What a test said in the previous turn no longer holds."""
        turns, atoms = state.loops.get(block_id, (0, dict(state.atoms)))
        if turns:
            state.atoms = {k: v for k, v in state.atoms.items() if atoms.get(k) == v or k[0] == "empty"}
        state.loops[block_id] = (turns + 1, atoms)
        return turns <= MAX_TURNS

    def _end(self, block_id: int, block: ir.Block, state: State) -> list[tuple[int, State]]:
        end = block.end
        if isinstance(end, ir.Jump):
            return [(end.target, state)]
        if isinstance(end, ir.Branch):
            return self._branch(block_id, end, state)
        if isinstance(end, ir.Fork):
            return [(target, state.fork()) for target in end.targets]
        if isinstance(end, ir.ForNext):
            return self._next(block_id, end, state)
        if isinstance(end, ir.Return):
            value = state.regs[end.src] if end.src is not None else self.arena.const(None)
            self.at_exit(state, value, Place(self.unit, end.site))
        elif isinstance(end, ir.Raise):
            self.at_raise(state)
        return []

    def _branch(self, block_id: int, end: ir.Branch, state: State) -> list[tuple[int, State]]:
        value = state.regs[end.cond]
        remember = block_id in self.plan.correlated or self._telling(value)
        for skip in self.plan.loops.skips.get(block_id, ()):
            self.may_skip(state, skip, value, end.site)
        out = []
        for wanted, target in ((True, end.true), (False, end.false)):
            branch = state.fork()
            if self.assume(branch, value, wanted, remember):
                branch.conditions = (*branch.conditions[-11:], (Place(self.unit, end.site), wanted))
                self.tested(branch, value, wanted)
                out.append((target, branch))
        return out

    def _next(self, block_id: int, end: ir.ForNext, state: State) -> list[tuple[int, State]]:
        src = state.regs[end.src]
        if state.lazy:
            self.run_lazy(state, src)
        if src.kind is Kind.REDUCED:
            state.parts[src.id] = src
        turns = state.loops[block_id][0]
        out = []
        if turns <= MAX_TURNS:
            turn = state.fork()
            turn.regs[end.dst] = self.element_of(src, turn)
            turn.atoms[("empty", src.id)] = False
            if not state.atoms.get(("empty", src.id)):
                out.append((end.body, turn))
        done = state.fork()
        if turns == 1:
            if done.atoms.get(("empty", src.id)) is False or done.atoms.get(("set", src.id)):
                return out
            done.atoms[("empty", src.id)] = True
            if src.kind is Kind.CALL and src.name == "enumerate":
                done.atoms[("empty", src.ops[0].id)] = True
            done.conditions = (*done.conditions[-11:], (Place(self.unit, end.site), False))
        else:
            self.loop_finished(src, done)
        out.append((end.done, done))
        return out

    # -- tests ------------------------------------------------------------------------------------------------------

    def _telling(self, value: Value) -> bool:
        """Does a test's outcome matter by itself: a sidecar, an opt-in flag, the length or emptiness of context?"""
        value, _ = self._normal(value, True)
        if self.is_command_test(value):
            return True
        if value.kind is Kind.DERIVED and value.name in ("in", "hasattr"):
            asked = next((op.data for op in value.ops if isinstance(op.data, str)), "")
            if asked and self.models.named_sources.find(asked) is not None:
                return True
        leaves = value.ops if value.kind is Kind.DERIVED else (value,)
        names = self.models.names
        for leaf in leaves:
            if leaf.kind is Kind.DERIVED and leaf.name == "len":
                return True
            name = leaf.name or leaf.qual.rpartition(".")[2]
            if name and (names.opt_in_flags.match(name) or self.is_sidecar(leaf)):
                return True
            if leaf.kind is not Kind.CONST and self.classifier.kind_of(leaf) is not None:
                return True
        return False

    def assume(self, state: State, value: Value, wanted: bool, remember: bool = True) -> bool:
        """Record that a test came out as ``wanted``; False when this path knows that it cannot."""
        value, wanted = self._normal(value, wanted)
        if value.kind is Kind.CONST:
            return bool(value.data) == wanted
        if value.kind in (Kind.BUILD,) and is_empty(value):
            return not wanted
        if value.kind is Kind.DERIVED and value.name == "and-none":
            return True
        key = self._atom(value)
        known = state.atoms.get(key)
        if known is not None:
            return known == wanted
        if remember:
            state.atoms[key] = wanted
        return True

    def _normal(self, value: Value, wanted: bool) -> tuple[Value, bool]:
        """Peel negations and comparisons with None: ``x is None`` is "x is not set"."""
        for _ in range(8):
            if value.kind is not Kind.DERIVED or value.name not in (
                "not",
                "is",
                "is not",
                "==",
                "!=",
                "bool",
            ):
                break
            if value.name == "not":
                value, wanted = value.ops[0], not wanted
                continue
            if value.name == "bool":
                value = value.ops[0]
                continue
            left, right = value.ops
            if left.kind is Kind.CONST and right.kind is not Kind.CONST:
                left, right = right, left
            if right.kind is not Kind.CONST or right.data is not None:
                break
            if left.kind is Kind.CONST:
                return self.arena.const((left.data is None) == (value.name in ("is", "=="))), wanted
            if left.kind in (Kind.BUILD, Kind.FUNC, Kind.RENDERING, Kind.REDUCED, Kind.CONCAT, Kind.MAPPED):
                return self.arena.const(value.name in ("is not", "!=")), wanted
            wanted = wanted if value.name in ("is not", "!=") else not wanted
            value = left
        if value.kind is Kind.DERIVED and value.name in _NEGATED:
            value = self.arena.get(Kind.DERIVED, value.ops, name=_NEGATED[value.name])
            wanted = not wanted
        return value, wanted

    @staticmethod
    def _atom(value: Value) -> AtomKey:
        return ("set", value.id)

    def loop_finished(self, src: Value, state: State) -> None:
        """After at least one turn: if the turn captured its element on this path, the whole collection is captured."""
        sources = src.ops if src.kind is Kind.CALL and src.name in ("enumerate", "zip") else (src,)
        for source in sources:
            captured = state.captured.get(self.element_of(source, state).id)
            if captured is not None:
                mark_captured(state, source, captured)


def _reverse_postorder(blocks: list[ir.Block]) -> dict[int, int]:
    """Block id -> position in reverse postorder from block 0 (iterative depth-first search)."""
    seen = {0}
    order: list[int] = []
    stack: list[tuple[int, list[int]]] = [(0, _successors(blocks[0]))]
    while stack:
        block, successors = stack[-1]
        if successors:
            target = successors.pop()
            if target not in seen:
                seen.add(target)
                stack.append((target, _successors(blocks[target])))
        else:
            order.append(block)
            stack.pop()
    return {block: index for index, block in enumerate(reversed(order))}


def _successors(block: ir.Block) -> list[int]:
    end = block.end
    targets: list[int] = []
    if isinstance(end, ir.Jump):
        targets = [end.target]
    elif isinstance(end, ir.Branch):
        targets = [end.false, end.true]
    elif isinstance(end, ir.Fork):
        targets = list(reversed(end.targets))
    elif isinstance(end, ir.ForNext):
        targets = [end.done, end.body]
    if block.exc is not None:
        targets.insert(0, block.exc)
    return targets
