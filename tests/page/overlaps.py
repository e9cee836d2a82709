"""Whether the parts of a table keep clear of each other, are all in sight, and are not cut."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

from page.staging import (
    Moment,
    bids_by_many_turn_ups,
    bids_last,
    crowded,
    follows,
    leads,
    names_a_colour,
)
from page.waiting import lasting

#: The parts that a table has at any time, and what it has besides at a moment: when a colour is
#: named, the pad for it.
ALWAYS: Final = ("round", "trump", "sign", "name", "numbers", "hand", "tool")
_BIDDING: Final = ("pad", "turned")
_PLAYING: Final = ("bids", "my sign", "me", "voice")
DUE: Final[dict[Moment, tuple[str, ...]]] = {
    bids_last: _BIDDING,
    bids_by_many_turn_ups: _BIDDING,
    leads: _PLAYING,
    crowded: (*_PLAYING, "points", "seal"),
    follows: (*_PLAYING, "stock", "played"),
    names_a_colour: ("pad",),
}
#: What is wrong, part by part: which of those that are due is not there, what reaches out of the
#: window, what lies on what, and what is cut off. Of a card of the hand and of a turn-up, the
#: corner with rank and symbol counts: the rest may be covered. Of a card of the trick all counts
#: against the others at the table, and the corner against the cards above it.
CHECK: Final = """(due) => {
    const found = [], root = document.documentElement, wide = root.clientWidth;
    const high = Math.max(innerHeight, root.scrollHeight); // where all is enlarged, one scrolls
    const seen = (one) => one.checkVisibility({ visibilityProperty: true });
    const all = (what) => [...document.querySelectorAll(what)].filter(seen);
    const box = (one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return { left, right, top, bottom };
    };
    const corner = (one) => {
        const { left, top } = box(one), size = one.offsetWidth;
        const [right, bottom] = [left + 0.36 * size, top + 0.5 * size];
        return { left: left + 2, top: top + 2, right, bottom };
    };
    const text = (one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return box(range);
    };
    const scrolled = (one) => { // the words above a pad scroll where they have too little room
        const [part, all] = [box(one), box(one.closest('.said'))];
        const [top, bottom] = [Math.max(part.top, all.top), Math.min(part.bottom, all.bottom)];
        return { ...part, top, bottom };
    };
    const parts = [];
    const add = (kind, what, of = box) =>
        all(what).forEach((one, i) => {
            const at = of(one);
            if (at.right > at.left) parts.push({ kind, name: `${kind} ${i}`, one, ...at });
        });
    add('round', '.top .round b, .top .round small', text);
    add('trump', '[data-trump]');
    add('bids', '[data-bids] > :not(.unseen)');
    add('sign', '.seats li .sign');
    add('name', '.seats .name');
    add('numbers', '.seats .pips > .numbers');
    add('points', '.seats :is([data-about=bonus], [data-about=mad])');
    add('seal', '.seats [data-seal]');
    add('pad', '.front .pad');
    add('asks', '.front .ask', scrolled);
    add('plate', '.front .talk:has(.pad, .ask, aside)');
    add('turned', '.turned .up .card', corner);
    add('stock', '.near .up .card', corner);
    add('played', '[data-played] .card');
    add('my sign', '.own .mine .sign');
    add('me', '.own .mine > :not(.face)');
    add('voice', '.front .voice');
    add('hand', '[data-hand] .card', corner);
    add('tool', '.top a, .top button, .tools button');
    const round = (box) => [box.left, box.top, box.right, box.bottom].map(Math.round);
    const meets = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

    // A telephone on its side has room for the trump alone.
    const left_out = root.dataset.layout === 'flat' ? ['turned', 'stock'] : [];
    for (const kind of due)
        if (!parts.some((part) => part.kind === kind) && !left_out.includes(kind))
            found.push(`there is no ${kind}`);
    for (const part of parts)
        if (part.left < -1 || part.top < -1 || part.right > wide + 1 || part.bottom > high + 1)
            found.push(`${part.name} reaches out: ${round(part)}`);
    parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => {
        if (a.kind === b.kind && ['hand', 'played', 'bids', 'round'].includes(a.kind)) return;
        if (a.one.contains(b.one) || b.one.contains(a.one)) return;
        if (b.kind === 'seal' && a.one === b.one.closest('.face')?.querySelector('.sign')) return;
        if (meets(a, b)) found.push(`${a.name} and ${b.name} meet: ${round(a)} ${round(b)}`);
    }));

    const level = (part) => Number(getComputedStyle(part.one.closest('[data-played]')).zIndex);
    const trick = parts.filter(({ kind }) => kind === 'played');
    for (const a of trick) for (const b of trick)
        if (a !== b && level(b) >= level(a) && meets(corner(a.one), b))
            found.push(`${b.name} covers the corner of ${a.name}`);
    for (const { kind, one, name, left, right, top, bottom } of parts) {
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const own = one.closest('[data-hand]');
        if (kind === 'hand' && bottom < innerHeight && !own.contains(above))
            found.push(`${name} is covered`);
    }
    const whole = '.seats .row, .mine .row, .colour, [data-number], .top b, .voice .words, '
        + '[data-bids] > :not(.unseen)';
    for (const one of all(whole))
        if (one.scrollWidth > one.clientWidth + 1) found.push(`cut off: ${one.textContent.trim()}`);
    return found;
}"""

#: Everything that can be pressed and is smaller than WCAG 2.5.8 lets it be (24 by 24), but for
#: links within a sentence.
TARGETS: Final = """() => [...document.querySelectorAll('button, a, input, select, summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.unseen'))
    .filter((one) => !(one.matches('p a, li a, dd a') && !one.classList.contains('button')))
    .map((one) => {
        const { width, height } = (one.closest('label') ?? one).getBoundingClientRect();
        const name = (one.ariaLabel ?? one.textContent).trim().slice(0, 40) || one.name || one.type;
        return [name, Math.round(width), Math.round(height)];
    })
    .filter(([, width, height]) => width > 1 && Math.min(width, height) < 24)"""


@lasting
def check(page: Page, moment: Moment) -> list[str]:
    """What is wrong with the parts of a table at such a moment."""
    found: list[str] = page.evaluate(CHECK, [*ALWAYS, *DUE[moment]])
    return found
