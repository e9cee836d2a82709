// Reads what one game's persons are told, a line each, folds every update, and compares the result
// with the whole table of the same moment. Prints how many were folded, and which facts could not
// be, and the story of the game as each person knows it, as JSON. Ends with status 1 at the first difference.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { fold } from "../../web/src/game/fold.ts";
import { story, tellEnd } from "../../web/src/game/story.ts";
import type { TableView, Update, FullTable } from "../../web/src/game/types.ts";

interface Line {
  readonly person: string;
  readonly update?: Update;
  readonly whole: FullTable;
}

function without(data: object, ...names: string[]): object {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => !names.includes(name)),
  );
}

/** The fields that the page reads. */
function read(table: TableView): unknown {
  const game = table.game && without(table.game, "first_round");
  return { ...table, game };
}

/** A reason as it goes over the wire: its parameters beside its code. */
const beside = ({ code, params, ...more }: Record<string, unknown>) => ({
  code,
  ...(params as object),
  ...more,
});

function differences(a: unknown, b: unknown, path = ""): string[] {
  if (isDeepStrictEqual(a, b)) return [];
  if (!a || !b || typeof a !== "object" || typeof b !== "object") {
    return [`${path}: folded ${JSON.stringify(a)}, is ${JSON.stringify(b)}`];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    differences(
      a[key as keyof typeof a],
      b[key as keyof typeof b],
      `${path}.${key}`,
    ),
  );
}

const states = new Map<string, TableView>();
const asked: Record<string, number> = {};
let folded = 0;
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  const { person, update, whole } = JSON.parse(line) as Line;
  const before = states.get(person);
  const after = before && update ? fold(before, update) : null;
  if (update && before && !after) {
    const kinds = update.events.map((fact) => fact.type).join(" ");
    asked[kinds] = (asked[kinds] ?? 0) + 1;
  }
  if (after) {
    const found = differences(read(after), read(whole.table));
    if (found.length) {
      console.error(`${person}, event ${whole.seq}:\n${found.join("\n")}`);
      console.error(JSON.stringify(update));
      process.exit(1);
    }
    folded += 1;
  }
  states.set(person, after ?? whole.table);
}
const stories = Object.fromEntries(
  [...states].map(([person, table]) => [
    person,
    [
      ...story(table).map(({ entries }) =>
        entries.map(({ reason }) => beside(reason)),
      ),
      table.game ? tellEnd(table.game).map(({ reason }) => beside(reason)) : [],
    ],
  ]),
);
console.log(JSON.stringify({ folded, asked, stories }));
