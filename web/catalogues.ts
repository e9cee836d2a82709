// A Vite plugin: the sentences of a language in parts. `en.json?first` is src/rage/locale/en.json
// with the sentences of a page from the first moment on, `?late` with those of pages and dialogs
// that are not seen before the first card, and `?after` with those about finished games and
// evenings. The key of a sentence decides, by the longest prefix listed here; keys under none of them are never said in
// a browser.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

type Catalogue = Readonly<Record<string, string>>;
type Parts = Readonly<Partial<Record<Part, readonly string[]>>>;
export type Part = 'first' | 'late' | 'after' | 'never';
export type PageName = keyof typeof PAGES;

const words = (list: string) => list.trim().split(/\s+/);

/** A server's page of tables. */
const TABLE = {
  first: words(`
    account bot.easy bot.hard bot.steady card chat coach colour edition event fact first_round hand language.direction language.plural letter list name
    number played refuse seat sheet table teams trick turn words
    http.no_table http.not_stored http.store_damaged http.store_full http.too_fast http.too_many_open
    http.store_strangers http.too_many_open_from
    page.again page.between page.card page.changed page.clock page.close page.coach page.error
    page.event.to page.failed page.home page.languages page.lost page.name page.names page.notice
    page.options.advice page.options.between page.options.known page.options.spectators
    page.options.undo page.part page.pips page.place page.seal page.shell page.start page.table
    page.table_row page.undo page.advice.title page.chat.says page.chat.title page.chat.unread
    page.claim.do page.claim.short page.handover.title page.mine.title page.people.options
    page.people.title page.react.title page.recover.title page.rules.open page.settings.insecure
    page.settings.language page.settings.title`),
  late: words(`
    advice allowed bot.deep.about bot.master.about bot.medium.about bot.no_values bot.not_to_move bot.unknown event.points.account form
    kind language learn move notation page path place players position reaction report ruleset schedule seed
    setting unlike view
    hand.refused http.banned http.banned_until http.read_only page.table.read teams.refused words.not_texts
    page.day.streak page.options.between.none page.options.between.ready page.options.between.some
    page.options.known.about page.options.spectators.about page.options.undo.about
    table.advice_later table.barred_enough table.bot_plays_already table.chat table.claim_last
    table.claim_on_turn table.claim_sum table.claimed_once table.clock_order table.clock_range
    table.day table.event table.given_rules table.hand_of_another table.host_already table.host_grace
    table.host_is_here table.host_only table.host_seated table.house_only table.is_here
    table.message table.muted_enough table.never_bots table.new table.no_advice table.no_bot
    table.no_bot_to_act table.no_vote table.not_due table.not_yourself table.open_already
    table.owner table.person table.preset table.seat_of_another table.seats_taken
    table.away_shortly table.hands_closed table.not_played table.reaction table.seed table.seq table.snapshot table.text table.vote_first
    table.barred table.name_alike table.name_taken table.screen table.seat_taken table.sign
    table.sits_already table.word.no_hash table.word.none table.word.other
    page.after.copied page.after.not_copied page.event.new page.event.paused page.event.qr page.event.seat page.event.yours
    page.settings.language.browser page.table.end
    page.table.chart page.table.door page.table.known page.table.log.empty page.table.log.round page.table.rematch
    page.table.replay page.table.scores page.table.sheet page.table.side page.table.tab.people
    page.table.trump.at page.table.trump.deal page.table.winner page.undo.mine`),
  after: words(`
    analysis notation verify page.after page.analysis page.day page.event page.mattered page.open page.proof
    page.stats`),
  never: words('page.alone page.judge page.record page.sheet position.text evening'),
} as const satisfies Parts;

export const PAGES = {
  table: TABLE,
  /** The same without a server. */
  alone: {
    ...TABLE,
    first: [...TABLE.first, 'page.alone'],
    never: TABLE.never.filter((prefix) => prefix !== 'page.alone'),
  },
  /** The score sheet and the trick judge. */
  sheet: {
    first: words(`
      allowed box card colour edition hand http.own_settings kind language.direction language.plural letter list name number place
      played players preset ruleset schedule score seat setting sheet teams unlike variant
      notation.at_round notation.missing notation.no_edition notation.no_kind notation.not_right
      notation.too_many_rounds notation.too_soon notation.wrong_count notation.wrong_field
      notation.wrong_type
      page.again page.box page.card page.claim.over page.close page.copied page.error page.failed
      page.home page.judge.nav page.languages page.new.allowed page.new.edition
      page.new.edition_line page.new.other_editions page.new.own page.new.turned_off page.new.unlike page.new.variants page.no page.notice
      page.not_copied page.part page.pips page.place page.record.correct page.seal
      page.settings.install page.settings.language page.settings.looks page.settings.theme page.sheet
      page.sheet.history.nav page.shell.nav page.table.bid page.table.chart page.table.end page.table.scores
      page.table.sheet page.table.winner page.yes`),
    late: words(`
      judge.allowed judge.full judge.player page.invite page.judge page.open.private page.record
      page.sheet.history page.sheet.live page.stats page.table.replay page.table.trump refuse trick`),
  },
} as const satisfies Record<string, Parts>;

/** The part of a page that has the sentence of a key. */
export function partOf(key: string, page: PageName): Part {
  const listed = Object.entries(PAGES[page] as Parts).flatMap(([part, prefixes]) =>
    prefixes.map((prefix) => ({ part: part as Part, prefix })),
  );
  const code = `${key.split(':')[0]}.`; // a form is where its noun is: `colour.R:dative`
  const fitting = listed.filter(({ prefix }) => code.startsWith(`${prefix}.`));
  const longest = fitting.sort((one, other) => other.prefix.length - one.prefix.length)[0];
  return longest?.part ?? 'never';
}

export function catalogues(page: PageName): Plugin {
  let building = false;
  return {
    name: 'rage-catalogues',
    config: () => ({
      build: { rolldownOptions: { output: { chunkFileNames } } },
    }),
    configResolved({ command }) {
      building = command === 'build';
    },
    load(id) {
      const [file = '', part] = id.split('?');
      if (!file.endsWith('.json') || !/^(first|late|after)$/.test(part ?? '')) return null;
      const whole = wholeOf(catalogueOf(file), page);
      // In development, every part is the whole: one server has all pages.
      const said = Object.entries(whole).filter(([key]) => !building || partOf(key, page) === part);
      const text = JSON.stringify(JSON.stringify(Object.fromEntries(said)));
      return { code: `export default JSON.parse(${text});`, moduleType: 'js' };
    },
  };
}

/** The sentences of a language: those that it lacks are the English ones, in which a number has the
 * forms of English. */
export function catalogueOf(file: string, english = join(file, '..', 'en.json')): Catalogue {
  const [all, own] = [english, file].map((each): Catalogue =>
    JSON.parse(readFileSync(each, 'utf8')),
  );
  const said = Object.entries(own!).filter(([, words]) => words);
  if (file === english) return own!;
  const lent = Object.entries(all!).map(([key, words]) => [
    key,
    words.replaceAll(':plural|', ':plural:en|'),
  ]);
  return Object.fromEntries([...lent, ...said]);
}

/** The sentences of a page. Where there is no server, `alone.KEY` is said instead of KEY. */
function wholeOf(catalogue: Catalogue, page: PageName): Catalogue {
  if (page !== 'alone') return catalogue;
  const said = Object.entries(catalogue).map(([key, text]) => [
    key,
    catalogue[`alone.${key}`] ?? text,
  ]);
  return Object.fromEntries(said);
}

/** The server begins a page with the first part of its language, which it finds by its name. */
function chunkFileNames({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  const part = /\.json\?(late|after)$/.exec(facadeModuleId ?? '')?.[1];
  return `assets/${part ? `${part}-` : ''}[name]-[hash].js`;
}
