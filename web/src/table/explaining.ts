// Explains a card, a sign or a number of the table in a sentence or two: its meaning is written
// here, the rules about it come from the rules of the table (`rulebook.ts`).

import { actionOf, colourOf } from '../codes';
import { tellWinner } from '../game/story';
import type { TableStore } from '../game/table.svelte';
import { lastTrick } from '../game/tricks';
import type { OfferedBot, RulesPage } from '../protocol';
import { cardAloud, type Code, kindName, sentence, t, visible } from '../say';
import { readOut } from './reading';
import { lineOf } from './rulebook';
import { cardsOnTable, type RunningClock, type Standing, standings, totalBid } from './standing';

/** A name and its explanation. */
export interface Explained {
  readonly name: string;
  readonly lines: readonly string[];
  /** The bot that it is about. */
  readonly bot?: string | null;
}

/** By bot on offer, how it plays. */
const CHARACTERS: Readonly<Record<string, Code>> = {
  easy: 'bot.easy.about',
  steady: 'bot.steady.about',
  medium: 'bot.medium.about',
  hard: 'bot.hard.about',
  master: 'bot.master.about',
  deep: 'bot.deep.about',
} satisfies Record<OfferedBot, Code>;

/** The marks of a player, in the order of explanation. */
const MARKS = ['pips', 'seal', 'deals', 'leads', 'bonus', 'mad', 'points', 'clock'] as const;
type Mark = (typeof MARKS)[number];

export class Explaining {
  readonly #store: TableStore;
  readonly #rules: RulesPage | null;
  readonly #clock: RunningClock | null;
  readonly #players: readonly Standing[];

  /** `rules`: null if they could not be fetched; `clock`: the clock of the player to act. */
  constructor(store: TableStore, rules: RulesPage | null, clock: RunningClock | null) {
    [this.#store, this.#rules, this.#clock] = [store, rules, clock];
    this.#players = standings(store.table!);
  }

  /** Explain an element of the table (`data-about`); null if there is nothing left to say. */
  of({ dataset }: HTMLElement, seat: number | null): Explained | null {
    const { about = '', hand, played, by, number } = dataset;
    if (hand !== undefined) return this.#held(hand);
    if (played !== undefined) return this.#played(played, Number(by));
    if (about === 'bid') return this.#bid(Number(number));
    if (about === 'bids') return this.#bids();
    if (about === 'trump') return this.#trump();
    if (about === 'round') return this.#round();
    if (about === 'trick') return this.#lastTrick();
    const player = seat === null ? undefined : this.#players[seat];
    if (!player) return null;
    return about === 'seat' ? this.#sitting(player) : this.#mark(about as Mark, player);
  }

  /** Explain everything on the table now. */
  all(): Explained[] {
    const { cards } = cardsOnTable(this.#store.table!, null, this.#store.trickCleared);
    return [
      ...(this.#store.round ? [this.#round()] : []), // the game may be just beginning
      this.#trump(),
      this.#bids(),
      ...this.#players.map((player) => this.#seat(player)),
      ...cards.map(({ move, seat }) => this.#played(move, seat)),
    ];
  }

  #rule(code: string): string {
    return lineOf(this.#rules, code);
  }

  /** A sentence about players; about me as "you". */
  #says(code: Code, params: Record<string, unknown>): string {
    return t(code, params, this.#store.telling);
  }

  /** An explanation without the sentences that could not be said. */
  #told(name: string, ...lines: readonly string[]): Explained {
    return { name, lines: lines.filter(Boolean) };
  }

  #card(code: string): string[] {
    const action = actionOf(code);
    if (action) return [this.#rule(`actions.${action}`)];
    const { trump } = this.#store.game!;
    const its = colourOf(code) === trump ? t('page.table.read.trump', { colour: trump }) : '';
    return [its, this.#rule('play.win')];
  }

  /** Why a move of mine is illegal now. */
  #why(code: string): string {
    const why = this.#store.moves.whyNot(code);
    return why ? sentence(why, { ...this.#store.telling, aloud: true }) : '';
  }

  #held(code: string): Explained {
    return this.#told(this.#aloud(code), ...this.#card(code), this.#why(code));
  }

  #aloud(code: string): string {
    return cardAloud(code, this.#store.telling.edition);
  }

  #played(move: string, seat: number): Explained {
    const name = this.#says('page.explain.played', { player: seat, card: this.#aloud(move) });
    return this.#told(name, ...this.#card(move));
  }

  /** Explain a sum of bids. */
  #sum({ sum, hidden, all }: ReturnType<typeof totalBid>): string[] {
    const { bidding } = this.#store.table!.settings;
    if (hidden) return [this.#rule(`bids.${bidding}`)];
    const tricks = this.#store.round?.hand_size ?? 0;
    const limit = this.#store.bidding ? this.#rule('bids.not_tricks') : '';
    if (!all) return [t('page.explain.bids.so_far', { total: sum, tricks }), limit];
    const how = sum === tricks ? 'even' : sum > tricks ? 'over' : 'under';
    return [t(`page.explain.bids.${how}`, { total: sum, tricks, n: Math.abs(sum - tricks) })];
  }

  #bids(): Explained {
    return this.#told(t('page.explain.bids'), ...this.#sum(totalBid(this.#store.table!)));
  }

  #bid(n: number): Explained {
    const name = t('page.table.bid.n', { n });
    const why = this.#why(String(n));
    if (why) return this.#told(name, why);
    const [sum = ''] = this.#sum(totalBid(this.#store.table!, n));
    return this.#told(name, t('page.explain.bid', { n }), sum);
  }

  #trump(): Explained {
    const { trump } = this.#store.game!;
    const rule = trump ? 'terms.trump' : 'play.win';
    return this.#told(t('page.table.tab.trump'), readOut(this.#store, 'trump'), this.#rule(rule));
  }

  #lastTrick(): Explained | null {
    const last = lastTrick(this.#store.game!);
    if (!last) return null;
    const { round, index, trick } = last;
    return this.#told(
      t('page.table.trick_of', { trick: index + 1, round: round.number }),
      sentence(tellWinner(round, trick), this.#store.telling),
    );
  }

  #round(): Explained {
    const { number: round, hand_size: n } = this.#store.round!;
    const last = this.#store.table!.settings.schedule.length;
    return this.#told(
      t('page.table.round', { round, last }),
      t('sheet.hand', { n }),
      this.#rule('deal.schedule'),
    );
  }

  /** Explain a player, with all their marks; a bot also by how it plays. */
  #sitting(player: Standing): Explained {
    const { name, lines } = this.#seat(player);
    const { person, bot } = this.#store.table!.seats[player.seat]!;
    if (person !== null || bot === null) return { name, lines };
    const character = CHARACTERS[bot];
    const unlearned = character && bot !== 'steady' ? (this.#rules?.bots ?? '') : '';
    return { ...this.#told(name, character ? t(character) : '', unlearned, ...lines), bot };
  }

  /** Explain a player by all their marks. */
  #seat(player: Standing): Explained {
    const { isDealer, isLeader, bonus, mad, seal, isToAct, bot } = player;
    const shown: Record<Mark, unknown> = {
      pips: true,
      seal,
      deals: isDealer,
      leads: isLeader,
      bonus,
      mad,
      points: true,
      clock: isToAct && !bot && this.#clock,
    };
    const lines = MARKS.filter((mark) => shown[mark]).map((mark) => this.#lines(mark, player)[0]!);
    return this.#told(visible(player.name), ...lines);
  }

  #mark(mark: Mark, player: Standing): Explained {
    return this.#told(visible(player.name), ...this.#lines(mark, player));
  }

  /** Explain a mark of a player, and its consequences. */
  #lines(mark: Mark, standing: Standing): string[] {
    const { bid, won, hidden, bidding, seal, team, score: points } = standing;
    const player = standing.seat;
    switch (mark) {
      case 'pips': {
        const how = bid !== null ? (bidding ? 'bid' : 'won') : hidden ? 'hidden' : 'none';
        const says = this.#says(`page.explain.pips.${how}`, { player, bid, won });
        return [says, team === null ? '' : this.#rule('bids.teams')];
      }
      case 'seal':
        return [t(`page.explain.seal.${seal ?? 'met'}`), this.#rule(this.#points(standing))];
      case 'deals':
        return [this.#says('page.explain.deals', { player }), this.#rule('play.turns')];
      case 'leads':
        return [this.#says('page.explain.leads', { player }), this.#rule('play.led')];
      case 'bonus':
      case 'mad':
        return [
          this.#says('page.explain.gained', {
            player,
            n: standing[mark],
            card: kindName(mark, this.#store.telling.edition),
          }),
          this.#rule(mark === 'bonus' ? 'score.bonus' : 'score.mad'),
        ];
      case 'points':
        return [this.#says('page.explain.points', { player, points })];
      case 'clock':
        return this.#time();
    }
  }

  /** The rule for the points of a bid in its current state. */
  #points({ seal, bid }: Standing): string {
    if (seal !== 'met') return 'score.miss';
    return bid === 0 ? 'score.exact_zero' : 'score.exact';
  }

  #time(): string[] {
    const { takeover } = this.#store.table!.options;
    if (!this.#clock) return [];
    const { nudge, ask, hand_over } = this.#clock.clock;
    return [
      t(`page.changed.clock.${takeover}`, { nudge, ask, hand_over }),
      t(`page.options.clock.about.${takeover}`),
    ];
  }
}
