"""Many tables that advance in one call.

The compiled part of :class:`rage.envs.Tables`, which checks all arguments and makes the arrays.
"""

from __future__ import annotations

from typing import Any

from rage.engine.deal import Deal

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.steady import DEFAULT_WEIGHTS, canonical_move
    from rage.engine.canonical import (
        canonical_colours,
        invert,
        relative_seat,
        rename_cards,
        rename_colours,
        rename_into,
        rename_move,
    )
    from rage.engine.episode import begin_episode, deal_round
    from rage.engine.kernel import (
        DEALING,
        NO_BID,
        NONE,
        OVER,
        ROUND_OVER,
        STOCK_SHORT,
        TURN_UP_DUE,
        Rules,
        apply,
        bids_hidden,
        copy_state,
        legal_set,
        next_below,
        next_random,
        random_move,
        round_points,
        start_game,
    )
    from rage.engine.position import Position
    from rage.engine.uncompiled import Generator, Moves, RuleTable, State
    from rage.envs.uncompiled import (
        Table,
        TableSet,
        compact_row,
        copy_row,
        flat,
        full_row,
        put_state,
        rule_memory,
        rule_table,
        rules_in,
        state_in,
        state_of,
        table_memory,
        table_of,
        tables_in,
        template_memory,
    )
    from rage.features.encode import encode_rules, encode_seen
    from rage.rules.cards import BONUS, MAD, N_COLOURED, N_MOVES

    COMPACT_SIZE = 256
    NO_BOT, RANDOM, STEADY = range(3)
    NEXT_STEP, SAME_STEP, DISABLED = range(3)
    RAISE, LOSE, ANY_LEGAL = range(3)
    NOTHING, FULL, COMPACT = range(3)
    RUNNING, ENDED, FORFEIT = range(3)
    int16s = uint8s = uint64s = int8s = float32s = int64s = flat

#: The numbers of the settings of a :class:`Batch`.
OPPONENTS = {None: 0, "random": 1, "steady": 2}
AUTORESETS = {"next_step": 0, "same_step": 1, "disabled": 2}
ILLEGAL = {"raise": 0, "lose": 1, "random": 2}
OBSERVATIONS = {None: 0, "full": 1, "compact": 2}


# --- episodes ------------------------------------------------------------------------------


def begin(h: TableSet, i: int) -> None:
    """Begin the next episode of a table, and play on to the caller's first decision."""
    if cython.compiled:
        g = cython.address(own)
    else:
        g = Generator()
    t = table_of(h, i)
    t.episode += 1
    begin_episode(g, h.seed, i, t.episode)
    t.moves = next_random(g)
    t.rules = next_below(g, h.choices) if h.choices > 1 else 0
    t.deals = g.random
    t.over = RUNNING
    t.waiting = 0
    for j in range(8):
        t.before[j] = 0
    start_game(state_of(t))
    go_on(h, t)


def go_on(h: TableSet, t: Table) -> None:
    """Deal, and move for the opponents, until the caller has a decision or the episode ends."""
    if cython.compiled:
        g = cython.address(own)
    else:
        g = Generator()
    s = state_of(t)
    while True:
        if s.phase == DEALING:
            if h.given:
                t.waiting = 1
                return
            g.random = t.deals
            deal_round(g, s, h.rules[t.rules])
            t.deals = g.random
        elif s.phase == OVER:
            t.over = ENDED
            return
        elif (h.seats >> s.turn) & 1:
            t.seat = s.turn
            return
        elif h.opponents == STEADY:
            make(t, h.rules[t.rules], canonical_move(h.weights, s, h.rules[t.rules]))
        else:
            g.random = t.moves
            move = random_move(g, s, h.rules[t.rules])
            t.moves = g.random
            make(t, h.rules[t.rules], move)


def make(t: Table, r: RuleTable, move: int) -> None:
    """Make a legal move and, if it ends the round, keep the results."""
    s = state_of(t)
    happened = apply(s, r, move)
    if s.flags & STOCK_SHORT:
        t.cut = 1
    if happened & ROUND_OVER:
        t.rounds += 1
        t.hand = s.hand
        for i in range(8):
            t.bids[i] = s.bids[i]
            t.won[i] = s.won[i]
            t.points[i] = s.scores[i] - t.before[i]
            t.before[i] = s.scores[i]


# --- steps ---------------------------------------------------------------------------------


def first_illegal(h: TableSet) -> int:
    """The first table at which the action is not legal; -1 if there is none."""
    for i in range(h.count):
        if h.tables[i].over or (h.chosen and h.chosen[i] == 0):
            continue
        action = h.actions[i]
        if action < 0 or action >= N_MOVES:
            return i
        if (h.legal[2 * i + (action >> 6)] >> (action & 63)) & 1 == 0:
            return i
    return -1


def meant(h: TableSet, t: Table, action: int) -> int:
    """The move of the kernel that an action means; actions name colours as the observation does."""
    if h.observe == NOTHING:
        return action
    if not cython.compiled:
        back = [0] * 6
    invert(t.places, back)
    return rename_move(action, back)


def take(h: TableSet, i: int) -> None:
    """Take the caller's action at a table that waits for it, and play on."""
    t = table_of(h, i)
    s = state_of(t)
    r = h.rules[t.rules]
    move = -1
    if 0 <= h.actions[i] < N_MOVES:
        move = h.actions[i]
        if (h.legal[2 * i + (move >> 6)] >> (move & 63)) & 1 == 0:
            move = -1
    if move >= 0:
        move = meant(h, t, move)
    elif h.illegal == LOSE:
        t.over = FORFEIT
        return
    else:
        if cython.compiled:
            g = cython.address(own)
        else:
            g = Generator()
        g.random = t.moves
        move = random_move(g, s, r)
        t.moves = g.random
    make(t, r, move)
    go_on(h, t)


def pay(h: TableSet, i: int) -> None:
    """Write the rewards of an episode that has just ended."""
    t = table_of(h, i)
    s = state_of(t)
    r = h.rules[t.rules]
    at = h.sides * i
    if t.over == FORFEIT:
        for side in range(r.sides):
            h.rewards[at + side] = forfeit_reward(r, h.points, side == t.seat % r.sides)
        return
    total = 0.0
    for side in range(r.sides):
        total += s.scores[side]
    for side in range(r.sides):
        h.rewards[at + side] = s.scores[side]
        if not h.points and r.sides > 1:
            h.rewards[at + side] = s.scores[side] - (total - s.scores[side]) / (r.sides - 1)


def forfeit_reward(r: RuleTable, points: int, own: int) -> float:
    """The reward of the side that loses an episode by an illegal action (``own``), or of another
    side. No play is worth less to a side than the former."""
    worst = points_bound(r, 0)
    if not points:
        worst -= points_bound(r, 1)
    if own:
        return worst
    return 0.0 if points else -worst / (r.sides - 1)


def points_bound(r: RuleTable, most: int) -> float:
    """Points that no side can exceed (``most``) or fall below: in each round it wins all tricks and
    Bonus cards, or nothing but Mad cards, and meets or misses its bid, whichever counts more."""
    gain, total = 0, 0.0
    for i in range(r.pack_size):
        if most:
            gain += r.pack[i] == BONUS
        else:
            gain -= r.pack[i] == MAD
    for i in range(r.rounds):
        hand = r.schedule[i]
        won = hand if most else 0
        missed = round_points(r, hand, won + 1, won, gain)
        zero = round_points(r, hand, 0, 0, gain)
        won = hand if most else 1
        met = round_points(r, hand, won, won, gain)
        total += max(missed, zero, met) if most else min(missed, zero, met)
    return total


def step_table(h: TableSet, i: int) -> None:
    """Make one step at a table."""
    t = table_of(h, i)
    for side in range(h.sides):
        h.rewards[h.sides * i + side] = 0
    over = t.over
    if h.chosen and h.chosen[i] == 0:
        if h.kept:
            h.terminated[i] = over != RUNNING
            return
    elif over:
        if h.autoreset == NEXT_STEP:
            begin(h, i)
            over = RUNNING
    else:
        take(h, i)
        over = t.over
        if over:
            pay(h, i)
            if h.autoreset == SAME_STEP:
                if h.observe != NOTHING:
                    show_last(h, i)
                begin(h, i)
    h.terminated[i] = over != RUNNING
    show(h, i)


# --- observations --------------------------------------------------------------------------


def show(h: TableSet, i: int) -> None:
    """Write a table's observation: for the seat to act or, at the end, the last to have acted."""
    t = table_of(h, i)
    s = state_of(t)
    r = h.rules[t.rules]
    moves = Moves(0, 0)
    h.to_act[i] = -1
    if t.over == RUNNING:
        h.to_act[i] = t.seat
        moves = legal_set(s, r)
    if h.observe != NOTHING:
        canonical_colours(s, r, t.seat, t.places)
        rename_into(h.legal, 2 * i, moves, t.places)
        if h.observe == FULL:
            show_features(h, i, full_row(h.full, i))
        else:
            show_compact(h, i, compact_row(h.compact, i))
    else:
        h.legal[2 * i] = moves.lo
        h.legal[2 * i + 1] = moves.hi


def show_last(h: TableSet, i: int) -> None:
    """Write the last observation of an episode."""
    t = table_of(h, i)
    canonical_colours(state_of(t), h.rules[t.rules], t.seat, t.places)
    if h.observe == FULL:
        h.legal[2 * i] = h.legal[2 * i + 1] = 0
        show_features(h, i, full_row(h.last_full, i))
    elif h.observe == COMPACT:
        show_compact(h, i, compact_row(h.last_compact, i))


def show_features(h: TableSet, i: int, out: Any) -> None:
    """Write the features that the seat to act may know; its legal moves are already written."""
    t = table_of(h, i)
    moves = Moves(h.legal[2 * i], h.legal[2 * i + 1])
    copy_row(out, full_row(h.templates, t.rules))
    encode_seen(state_of(t), h.rules[t.rules], t.seat, t.places, moves, out)


def show_compact(h: TableSet, i: int, out: Any) -> None:
    """Write the state as the seat to act may know it, in canonical form."""
    t = table_of(h, i)
    seen = state_in(out)
    turn_seen(seen, state_of(t), h.rules[t.rules], t.seat, t.places)
    put_state(seen, out)
    out[COMPACT_SIZE - 1] = h.rules[t.rules].n


def turn_seen(target: State, s: State, r: RuleTable, seat: int, perm: Any) -> None:
    """Fill an empty state with what a seat may know, in canonical form: as ``mask`` and then
    ``canonical_state`` do, except for moves that are no longer in the trick."""
    hidden = bids_hidden(s, r)
    rename_cards(target.held, 0, s.held[2 * seat], s.held[2 * seat + 1], perm)
    rename_cards(target.seen, 0, s.seen[0], s.seen[1], perm)
    other = seat
    for i in range(r.n):
        target.bids[i] = NO_BID if hidden and i else s.bids[other]
        target.won[i] = s.won[other]
        target.bonus_mad[i] = s.bonus_mad[other]
        if s.voids[other]:
            target.voids[i] = rename_colours(s.voids[other], perm)
        other = other + 1 if other + 1 < r.n else 0
    for i in range(r.n, 8):
        target.bids[i] = NO_BID
    side = seat % r.sides
    for i in range(r.sides):
        target.scores[i] = s.scores[side]
        target.met[i] = s.met[side]
        side = side + 1 if side + 1 < r.sides else 0
    for i in range(s.count):
        target.trick[i] = rename_move(s.trick[i], perm)
    for i in range(s.shown):
        target.stock[i] = rename_move(s.stock[i], perm) if s.stock[i] < N_COLOURED else s.stock[i]
    target.phase = s.phase
    target.round = s.round
    target.dealer = relative_seat(s.dealer, seat, r.n)
    target.leader = relative_seat(s.leader, seat, r.n)
    target.turn = relative_seat(s.turn, seat, r.n)
    target.trump = perm[s.trump] if s.trump != NONE else NONE
    target.led = perm[s.led] if s.led != NONE else NONE
    target.count = s.count
    target.tricks = s.tricks
    target.hand = s.hand
    target.stock_size = target.shown = s.shown
    target.turned = s.turned
    target.up = s.up
    target.flags = s.flags & TURN_UP_DUE


# --- single tables -------------------------------------------------------------------------


def bot_move(h: TableSet, i: int, bot: int) -> int:
    """The action that a bot would choose at a table; 0 if the episode is over."""
    if cython.compiled:
        g = cython.address(own)
    else:
        g = Generator()
    t = table_of(h, i)
    s = state_of(t)
    r = h.rules[t.rules]
    if t.over:
        return 0
    if bot == STEADY:
        move = canonical_move(h.weights, s, r)
    else:
        g.random = t.moves
        move = random_move(g, s, r)
        t.moves = g.random
    if h.observe != NOTHING:
        move = rename_move(move, t.places)
    return move


def choose_some(h: TableSet, bot: int, actions: Any) -> None:
    """Write what a bot would choose at the chosen tables, and 0 for the others."""
    for i in range(h.count):
        actions[i] = 0
        if not h.chosen or h.chosen[i]:
            actions[i] = bot_move(h, i, bot)


def note_results(h: TableSet, numbers: Any, seats: Any, points: Any) -> None:
    """Write the results of the last round that ended at each table."""
    for i in range(h.count):
        t = table_of(h, i)
        numbers[2 * i] = t.rounds
        numbers[2 * i + 1] = t.hand
        for j in range(8):
            seats[16 * i + j] = t.bids[j]
            seats[16 * i + 8 + j] = t.won[j]
        for j in range(h.sides):
            points[h.sides * i + j] = t.points[j]


# --- many tables ---------------------------------------------------------------------------


def begin_some(h: TableSet, first: int, last: int) -> None:
    """Begin the next episode of the chosen tables from ``first`` to ``last`` - 1, and show all."""
    for i in range(first, last):
        if not h.chosen or h.chosen[i]:
            begin(h, i)
        for side in range(h.sides):
            h.rewards[h.sides * i + side] = 0
        h.terminated[i] = h.tables[i].over != RUNNING
        show(h, i)


def step_some(h: TableSet, first: int, last: int) -> None:
    """Make one step at the tables from ``first`` to ``last`` - 1."""
    for i in range(first, last):
        step_table(h, i)


# --- for Python ----------------------------------------------------------------------------


def forfeit_rewards(rules: Rules, points: bool, side: int) -> list[float]:
    """The rewards of all sides if this one loses an episode by an illegal action."""
    return [forfeit_reward(rules.r, points, each == side) for each in range(rules.r.sides)]


def reward_bounds(rules: Rules, points: bool) -> tuple[float, float]:
    """The least and the greatest reward that the points of each round allow."""
    least, most = points_bound(rules.r, 0), points_bound(rules.r, 1)
    return (least, most) if points else (least - most, most - least)


class Batch:
    """The tables of :class:`rage.envs.Tables`, which documents the settings and checks them."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.h: TableSet = cython.address(self.own_set)

    def __init__(self, rules: list[Rules], count: int, sides: int, **settings: int) -> None:
        if not cython.compiled:
            self.h = TableSet()
        h = self.h
        self.rules: list[Rules] = rules
        self.memory = table_memory(count)
        self.rule_memory = rule_memory(len(rules))
        h.tables = tables_in(self.memory)
        h.rules = rules_in(self.rule_memory)
        self.template_memory = template_memory(len(rules))
        h.templates = int16s(self.template_memory)
        for i in range(len(rules)):
            h.rules[i] = rule_table(rules[i])
            encode_rules(h.rules[i], full_row(h.templates, i))
        h.weights = DEFAULT_WEIGHTS.w
        h.choices = len(rules)
        h.count = count
        h.sides = sides
        h.seats = settings["seats"]
        h.opponents = settings["opponents"]
        h.autoreset = settings["autoreset"]
        h.illegal = settings["illegal"]
        h.points = settings["points"]
        h.observe = settings["observe"]
        h.given = settings["given"]
        self.start(settings["seed"])

    def start(self, seed: int) -> None:
        """Begin again with a seed: the next episode of every table is its first."""
        self.h.seed = seed
        for i in range(self.h.count):
            self.h.tables[i].episode = -1
            self.h.tables[i].rounds = 0
            self.h.tables[i].over = ENDED

    def bind(
        self,
        actions: Any,
        chosen: Any,
        observation: Any,
        last_observation: Any,
        legal: Any,
        to_act: Any,
        rewards: Any,
        terminated: Any,
        kept: bool,
    ) -> None:
        """Use these arrays from now on, or ``None`` for no array; the caller keeps them alive.
        ``legal`` must be the same array in all calls. ``kept``: the rows of tables that are not
        chosen stay."""
        h = self.h
        h.kept = kept
        h.actions = int64s(actions)
        h.chosen = uint8s(chosen)
        if h.observe == FULL:
            h.full = int16s(observation)
            h.last_full = int16s(last_observation)
        if h.observe == COMPACT:
            h.compact = uint8s(observation)
            h.last_compact = uint8s(last_observation)
        h.legal = uint64s(legal)
        h.to_act = int8s(to_act)
        h.rewards = float32s(rewards)
        h.terminated = uint8s(terminated)

    def illegal_at(self) -> int:
        """The first table at which the action is not legal; -1 if there is none."""
        return first_illegal(self.h)

    def begin_range(self, first: int, last: int) -> None:
        """Begin the next episode of the chosen tables from ``first`` to ``last`` - 1, without the
        GIL."""
        h = self.h
        with cython.nogil:
            begin_some(h, first, last)

    def step_range(self, first: int, last: int) -> None:
        """Make one step at the tables from ``first`` to ``last`` - 1, without the GIL."""
        h = self.h
        with cython.nogil:
            step_some(h, first, last)

    def choose(self, bot: int, chosen: Any, actions: Any) -> None:
        """Write what a bot would choose at the chosen tables into ``actions``, without the GIL."""
        h = self.h
        h.chosen = uint8s(chosen)
        found = int64s(actions)
        with cython.nogil:
            choose_some(h, bot, found)

    def waiting(self) -> list[int]:
        """The tables that wait for a deal from the caller."""
        return [i for i in range(self.h.count) if self.h.tables[i].waiting]

    def cut_at(self) -> int:
        """A table at which the stock of a given deal has ended too early; -1 if there is none."""
        found = -1
        for i in range(self.h.count):
            if self.h.tables[i].cut:
                found = i
                self.h.tables[i].cut = 0
        return found

    def deal(self, i: int, deal: Deal) -> None:
        """Deal the next round of a table that waits for it, play on, and write its observation.
        Raises as ``Position.deal`` does."""
        t = table_of(self.h, i)
        position = self.position(i)
        position.deal(*deal.numbers())
        copy_state(state_of(t), position.s)
        t.waiting = 0
        go_on(self.h, t)
        show(self.h, i)

    def results(self, numbers: Any, seats: Any, points: Any) -> None:
        """Write the results of the last round that ended at each table: how many have ended, and
        its hand size; the bids and tricks of eight seats; the points by side."""
        note_results(self.h, int64s(numbers), uint8s(seats), int16s(points))

    def position(self, i: int) -> Position:
        """A copy of the position of a table."""
        t = table_of(self.h, i)
        position = Position(self.rules[t.rules])
        copy_state(position.s, state_of(t))
        return position

    def rule_number(self, i: int) -> int:
        """The index of the rules of a table in ``rules``."""
        return table_of(self.h, i).rules

    def episode(self, i: int) -> int:
        """The number of the episode of a table; -1 before the first."""
        return table_of(self.h, i).episode
