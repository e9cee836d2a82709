// A new table while it is being configured.

import { explain, get, Refusal } from '../shell/api';
import type { Box, Choice, NewTable, RulesPage } from '../protocol';
import type { RulesForm } from './form';
import { type Chosen, PAUSE, usualOptions } from './opening';
import { candidates, editionOf, isBasedOn, termsOf, withSetting, without } from './terms';

export class Draft implements RulesForm {
  choice: Choice | null = $state.raw(null);
  /** The current rules, in words. */
  page: RulesPage | null = $state.raw(null);
  players = $state(4);
  /** The seats after mine: a bot by name, or `null` for a friend. */
  seats: (string | null)[] = $state([]);
  options: Chosen = $state(usualOptions());
  /** Why these rules, or this number of players, are impossible. */
  trouble = $state('');
  /** Why the initial rules could not be read. */
  unread = $state('');
  /** Variants that were turned off because of a conflict. */
  note = $state('');
  #last: Promise<unknown> = Promise.resolve();

  get rules(): string {
    return this.page?.rules ?? '';
  }
  get variants(): string[] {
    return termsOf(this.rules);
  }

  /** Begin with the rules of a link, or with others if those cannot be read. */
  async load(rules: string, players: number, otherwise: string): Promise<void> {
    this.choice = await get<Choice>('rules');
    this.setPlayers(players);
    const why = await this.#take(() => [rules]);
    if (!why) return;
    await this.#change(() => [otherwise]);
    this.unread = why;
  }

  /** Resolves once every change so far has been made. */
  settled(): Promise<unknown> {
    return this.#last;
  }

  /** Reload the texts in another language. */
  async reload(): Promise<void> {
    this.choice = await get<Choice>('rules');
    await this.#change(() => [this.rules]);
  }

  /** The preset that these rules are based on, if any. */
  get ruleSet(): string | null {
    return this.choice?.rule_sets.find((each) => isBasedOn(this.rules, each.rules))?.name ?? null;
  }

  /** Switch to another edition or preset; compatible variants stay. */
  chooseEdition(name: string): Promise<boolean> {
    const known = new Set(this.choice?.variants.map((each) => each.name));
    const kept = () => this.variants.filter((term) => known.has(term));
    return this.#change(() => [[name, ...kept()].join('+'), name]);
  }

  /** Turn a variant on or off; conflicting ones are turned off. */
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

  set(setting: string, value: () => string): Promise<string> {
    const changed = () => {
      const settings = this.page?.settings ?? {};
      return withSetting(editionOf(this.rules), settings, setting, value());
    };
    return this.#take(() => [changed()]);
  }

  askBox(answers: readonly number[]): Promise<Box> {
    return get<Box>('box', { answers: answers.join(',') });
  }

  setPlayers(players: number): void {
    this.#seat(players);
    if (this.page) void this.#check();
  }

  /** Add or remove seats. New ones are for friends, or for bots if no one else can come. */
  #seat(players: number): void {
    const free = __ALONE__ ? this.options.bot : null;
    this.players = players;
    this.seats = Array.from({ length: players - 1 }, (_, at) => this.seats[at] ?? free);
  }

  /** Set how well the bots play: those already seated, and those that come at the start. */
  setStrength(bot: string): void {
    this.options.bot = bot;
    this.seats = this.seats.map((seated) => seated && bot);
  }

  fill(bot: string | null): void {
    this.seats = this.seats.map(() => bot);
  }

  /** The request that opens the table. */
  order(name: string): NewTable {
    const start = this.seats.every((bot) => bot !== null);
    const options = $state.snapshot(this.options);
    // with only bots, there is no one to wait for
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

  /** Change the rules, or record why that is impossible. */
  async #change(wanted: () => readonly string[]): Promise<boolean> {
    const why = await this.#take(wanted);
    if (why) this.trouble = why;
    return !why;
  }

  /** Apply the first rule set that the server accepts. Changes run one after the other, each based
   * on the result of the one before, however fast they come. Returns why none was accepted, or
   * nothing. */
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

  /** Keep the number of players within the edition's limits. */
  #fit(): void {
    const [least, most] = this.page?.players ?? [2, 8];
    const fitting = Math.min(Math.max(this.players, least), most);
    if (fitting !== this.players || this.seats.length !== fitting - 1) this.#seat(fitting);
  }

  /** Check that this many can play by these rules. */
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
