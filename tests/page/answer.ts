// Answers questions with the page's own TypeScript, so that Python can compare:
//     node answer.ts KIND FILE     a question a line as JSON, an answer a line
// Letters outside ASCII are written as escapes, for half a surrogate pair is an answer too.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogueOf, partOf } from "../../web/catalogues.ts";
import { accountOf } from "../../web/src/game/account.ts";
import * as allowed from "../../web/src/offline/allowed.ts";
import { pack } from "../../web/src/offline/cards.ts";
import { below, commitment, Dealer } from "../../web/src/offline/deal.ts";
import {
  askBox,
  differences,
  editionsOf,
  nameOf,
  rulesData,
  rulesNamed,
  withEdition,
  withVariant,
} from "../../web/src/offline/names.ts";
import { conclusion, unhex, verify } from "../../web/src/offline/proof.ts";
import { recordsOf } from "../../web/src/offline/record.ts";
import * as recording from "../../web/src/offline/recording.ts";
import { Refusal } from "../../web/src/offline/refusal.ts";
import {
  EDITIONS,
  type Rules,
  rulesFrom,
} from "../../web/src/offline/rules.ts";
import * as score from "../../web/src/offline/score.ts";
import * as sheet from "../../web/src/offline/sheet.ts";
import {
  readSheet,
  sheetFrom,
  writeSheet,
} from "../../web/src/offline/sheet_file.ts";
import { readLink, writeLink } from "../../web/src/offline/sheet_link.ts";
import { csvOf } from "../../web/src/sheet/csv.ts";
import type { Colour } from "../../web/src/codes.ts";
import { judge, type Trump } from "../../web/src/offline/trick.ts";
import type { RoundData } from "../../web/src/protocol.ts";
import * as say from "../../web/src/say.ts";
import { ranks } from "../../web/src/start/places.ts";

type Question = any; // what the test in Python has written

const catalogues = new Map<string, say.Catalogue>();

/** Use a language, from its catalogue or the one of a path. */
function use(
  language: string,
  path = `src/rage/locale/${language}.json`,
): void {
  const [own, english] = [path, "src/rage/locale/en.json"].map((each) =>
    fileURLToPath(new URL(`../../${each}`, import.meta.url)),
  );
  if (!catalogues.has(path)) catalogues.set(path, catalogueOf(own!, english));
  say.use(language, catalogues.get(path)!);
}

/** An answer, or the reason of the refusal. */
function orRefusal(answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.reason };
    throw error;
  }
}

/** A round of a sheet, entered card by card: whenever something is asked for, the next of what was
 * turned over, or of what was played. */
function entered(rules: Rules, { turned, plays, ...begun }: any) {
  const players = begun.seats.length;
  const none = begun.seats.map(() => 0);
  const round = { ...begun, won: none, bonus: none, mad: none };
  let cards: recording.Cards = { turned: [], plays: [] };
  const asked: unknown[] = [];
  for (;;) {
    const { asks, trump } = recording.courseOf(rules, round, cards);
    if (asks === null) break;
    if (asks.what === "card") {
      asked.push([asks.place, trump.colour]);
      cards = { ...cards, plays: [...cards.plays, plays.shift()] };
    } else {
      asked.push("turned");
      const at = cards.turned[asks.turnUp]?.length ?? 0;
      cards = recording.turnedOver(cards, asks.turnUp, at, turned.shift());
    }
  }
  const course = recording.courseOf(rules, round, cards);
  const whole = recording.withCards(rules, round, cards);
  return {
    whole,
    asked,
    winners: course.tricks.map(({ verdict }) => verdict!.winner),
    hands: recording.handsOf(course, players),
    breaks: recording.breaksOf(rules, course),
    kept:
      JSON.stringify(recording.cardsOf(rules, whole)) === JSON.stringify(cards),
  };
}

/** The verdict on the trick of an index in a round of a view. */
function verdictOn(
  rules: Rules,
  players: number,
  round: Pick<RoundData, "trump_changes" | "tricks">,
  index: number,
) {
  const { leader, moves } = round.tricks[index]!;
  const changes = round.trump_changes;
  const before = changes.filter(({ trick }) => trick < index);
  const here = changes.filter(
    ({ trick, cause }) => trick === index && cause === "change",
  );
  return judge(rules, {
    players,
    leader,
    moves: moves.split(" "),
    trump: before.reduce<Trump>(
      (last, { trump, seat }) =>
        trump === last.colour ? last : { colour: trump as Colour, by: seat },
      { colour: null, by: null },
    ),
    turned: here.map(({ trump }) => trump as Colour | null),
  });
}

const KINDS: Record<string, (question: Question) => unknown> = {
  editions: () => EDITIONS,
  rules: (data) => orRefusal(() => rulesFrom(data)),
  names: (data) => {
    const rules = rulesFrom(data);
    return [nameOf(rules), rulesData(rules), differences(rules)];
  },
  named: (name) => orRefusal(() => rulesNamed(name)),
  variant: ({ rules, variant }) =>
    orRefusal(() => {
      const changed = withVariant(rulesFrom(rules), variant);
      return [nameOf(changed.rules), changed.off, editionsOf(variant)];
    }),
  edition: ({ rules, name }) => nameOf(withEdition(rulesFrom(rules), name)),
  box: (answers) => askBox(answers),
  sheet: ({ file, link }) => {
    const given = readSheet(file);
    const csv = ["en", "de"].map((language) => {
      use(language);
      return [language, csvOf(given)];
    });
    return {
      file: writeSheet(given),
      link: writeLink(given),
      linked: writeSheet(readLink(link)),
      csv: Object.fromEntries(csv),
      totals: sheet.totals(given),
      met: sheet.metCounts(given),
      leaders: sheet.leaders(given),
      winners: sheet.winnersOf(given),
      next_dealer: sheet.nextDealer(given, sheet.seatsOf(given)),
    };
  },
  recorded: ({ rules, players, rounds }) => {
    const read = rulesFrom(rules);
    const each = rounds.map((round: any) => entered(read, round));
    const whole = each.map((one: any) => one.whole);
    const rest = { stopped: false, extra: {} };
    const given = { rules: read, players, rounds: whole, ...rest };
    return { rounds: each, ...recordsOf(sheet.checkSheet(given)) };
  },
  records: (data) => recordsOf(sheetFrom(data)),
  corrected: ({ rules, round, cards, changes }) =>
    changes.reduce(
      (now: recording.Cards, { at, out, moves }: any) =>
        recording.replacePlays(rulesFrom(rules), round, now, at, out, ...moves),
      cards,
    ),
  no_sheet: (data) => orRefusal(() => sheetFrom(data)),
  no_link: (link) => orRefusal(() => readLink(link)),
  forbidden: ({ rules, round, place }) =>
    sheet.forbiddenBid(rulesFrom(rules), round, place),
  hides_bids: ({ rules, round }) => sheet.hidesBids(rulesFrom(rules), round),
  pack: (data) => pack(rulesFrom(data)),
  round: ({ rules, hand, seats }) =>
    score
      .sides(rules.teams, seats)
      .map((side) => score.sidePoints(rules, hand, side)),
  winners: ({ rules, scores, met }) => score.winners(rules, scores, met),
  places: ({ scores, winners }) => ranks(scores, winners),
  card: ({ rules, now, move }) => allowed.refusedCard(rules, now, move),
  trick: ({ rules, players, round, index }) =>
    verdictOn(rules, players, round, index),
  deals: ({ rules, players, seed, words, first, rounds }) =>
    orRefusal(() => {
      const dealer = new Dealer(
        rulesFrom(rules),
        players,
        unhex(seed)!,
        words,
        first,
      );
      return {
        hash: commitment(unhex(seed)!),
        deals: rounds.map((n: number) => dealer.deal(n)),
      };
    }),
  below: ({ numbers, n }) => below(numbers.values(), n),
  verify: (record) => orRefusal(() => verify(record)),
  conclusion: (record) => orRefusal(() => conclusion(verify(record))),
  sentence: ({ language, path, reason, edition, names, you }) => {
    use(language, path);
    return say.sentence(reason, { edition, names, you });
  },
  account: ({ language, round, side, seats, edition }) => {
    use(language);
    return say.sentence(accountOf(round, side, seats), { edition });
  },
  words: ({ text, most }) => [say.visible(text), say.brief(text, most)],
  intl: ({ language, moment, now }) => {
    say.use(language, {});
    return [
      say.number(moment),
      say.withSign(moment - now),
      say.date(moment),
      say.ago(moment, now),
    ];
  },
  part: ({ key, page }) => partOf(key, page),
};

const [kind = "", file = ""] = process.argv.slice(2);
const ascii = (text: string) =>
  text.replace(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
const answers = lines.map((line) =>
  ascii(JSON.stringify(KINDS[kind]!(JSON.parse(line)) ?? null)),
);
process.stdout.write(answers.join("\n"));
