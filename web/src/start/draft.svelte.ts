// The table that somebody is about to open.

import { explain, get, Refusal } from '../shell/api';
import type { Box, Choice, NewTable, RulesPage } from '../protocol';
import type { RulesForm } from './form';
import { type Chosen, PAUSE, usualOptions } from './opening';
import { candidates, editionOf, isBasedOn, termsOf, withSetting, without } from './terms';

export class Draft implements RulesForm {
  choice: Choice | null = $state.raw(null);
  /** The rules as they are now, in words. */
  page: RulesPage | null = $state.raw(null);
  players = $state(4);
  /** Who sits in the seats after mine: a bot by its name, or `null` for a friend. */
  seats: (string | null)[] = $state([]);
  options: Chosen = $state(usualOptions());
  /** Why these rules cannot be played, or not by so many. */
  trouble = $state('');
  /** Why the rules to begin with could not be read. */
  unread = $state('');
  /** What was turned off, because it does not go with what was turned on. */
  note = $state('');
  #last: Promise<unknown> = Promise.resolve();

  get rules(): string {
    return this.page?.rules ?? '';
  }
  get variants(): string[] {
    return termsOf(this.rules);
  }

  /** Begin with rules, as a link may carry them; with others where those cannot be read. */
  async load(rules: string, players: number, otherwise: string): Promise<void> {
    this.choice = await get<Choice>('rules');
    this.setPlayers(players);
    const why = await this.#take(() => [rules]);
    if (!why) return;
    await this.#change(() => [otherwise]);
    this.unread = why;
  }

  /** When every change so far has been made. */
  settled(): Promise<unknown> {
    return this.#last;
  }

  /** The same in another language. */
  async reload(): Promise<void> {
    this.choice = await get<Choice>('rules');
    await this.#change(() => [this.rules]);
  }

  /** The rule set beside the editions that these rules are based on, if there is one. */
  get ruleSet(): string | null {
    return this.choice?.rule_sets.find((each) => isBasedOn(this.rules, each.rules))?.name ?? null;
  }

  /** Another edition, or rule set beside them; variants stay where they go with it. */
  chooseEdition(name: string): Promise<boolean> {
    const known = new Set(this.choice?.variants.map((each) => each.name));
    const kept = () => this.variants.filter((term) => known.has(term));
    return this.#change(() => [[name, ...kept()].join('+'), name]);
  }

  /** Turn a variant on or off; what does not go with it is turned off. */
  async toggle(variant: string, on: boolean): Promise<void> {
    let before: string[] = [];
    await this.#change(() => {
      before = this.variants;
      return on ? candidates(this.rules, variant) : [without(this.rules, variant)];
    });
    const gone = before.filter((term) => term !== variant && !this.variants.includes(term));
    this.note = gone.map((term) => this.titleOf(term)).join(', ');
  }

  titleOf(term: string): string {
    return this.choice?.variants.find((each) => each.name === term)?.title ?? term;
  }

  set(setting: string, value: string): Promise<string> {
    const changed = () => {
      const settings = this.page?.settings ?? {};
      return withSetting(editionOf(this.rules), settings, setting, value);
    };
    return this.#take(() => [changed()]);
  }

  askBox(answers: readonly number[]): Promise<Box> {
    return get<Box>('box', { answers: answers.join(',') });
  }

  setPlayers(players: number): void {
    this.players = players;
    this.seats = Array.from({ length: players - 1 }, (_, at) => this.seats[at] ?? null);
    if (this.page) void this.#check();
  }

  fill(bot: string | null): void {
    this.seats = this.seats.map(() => bot);
  }

  /** What is sent to open it. */
  order(name: string): NewTable {
    const start = this.seats.every((bot) => bot !== null);
    const options = $state.snapshot(this.options);
    // Nobody else waits where bots sit everywhere.
    if (start && options.between === PAUSE) options.between = null;
    return {
      rules: this.rules,
      players: this.players,
      name,
      options,
      bots: [...this.seats],
      start,
    };
  }

  /** Change the rules, or keep why that is not possible. */
  async #change(wanted: () => readonly string[]): Promise<boolean> {
    const why = await this.#take(wanted);
    if (why) this.trouble = why;
    return !why;
  }

  /** Take the first of some rule sets that the server agrees to: one change after the other, each
   * of what the one before has made, however fast they come. Why none was taken; nothing otherwise. */
  #take(wanted: () => readonly string[]): Promise<string> {
    const taken = this.#last.then(() => this.#tried(wanted()));
    this.#last = taken;
    return taken;
  }

  async #tried(wanted: readonly string[]): Promise<string> {
    let why: unknown = null;
    for (const rules of wanted) {
      try {
        this.page = await get<RulesPage>(`rules/${encodeURIComponent(rules)}`);
        this.note = '';
        this.#fit();
        await this.#check();
        return '';
      } catch (error) {
        why ??= error;
        if (!(error instanceof Refusal && error.status >= 400 && error.status < 500)) break;
      }
    }
    return explain(why);
  }

  /** As many players as the edition is for. */
  #fit(): void {
    const [least, most] = this.page?.players ?? [2, 8];
    const fitting = Math.min(Math.max(this.players, least), most);
    if (fitting !== this.players || this.seats.length !== fitting - 1) {
      this.players = fitting;
      this.seats = Array.from({ length: fitting - 1 }, (_, at) => this.seats[at] ?? null);
    }
  }

  /** Whether so many can play by these rules. */
  async #check(): Promise<void> {
    const asked = this.players;
    try {
      await get(`rules/${encodeURIComponent(this.rules)}`, { players: asked });
      if (asked === this.players) this.trouble = '';
    } catch (error) {
      if (asked === this.players) this.trouble = explain(error);
    }
  }
}
