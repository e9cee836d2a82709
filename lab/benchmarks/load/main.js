// The load generator: plays at many tables at once, and measures how long moves take to reach all.
//
//   node main.js '{"server": "colyseus", "addresses": ["http://127.0.0.1:2567"],
//                  "tables": 50, "spare": 0, "rate": 0, "warm": 1, "seconds": 4, "bots": 0}'
//
// Several addresses are those of servers with one store: each table is played at one of them, by
// its code. `rate` is the number of moves per second offered over all tables; 0 means that each
// player sends as soon as it is their turn. It prints one JSON object per line:
// {"phase": "connected"}; after a line on its standard input "measuring", and "measured" with the
// figures; it ends after the next.
import { createInterface } from 'node:readline';
import { Table } from './table.js';

const wanted = JSON.parse(process.argv[2]);
const { open } = await import(`./${wanted.server}.js`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const say = (phase, more = {}) => console.log(JSON.stringify({ phase, ...more }));
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
const cpu = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1e6;

function fail(why) {
  process.stderr.write(`load: ${why}\n`);
  process.exit(1);
}
process.on('uncaughtException', (error) => fail(error.stack));

/** Open all tables, a few at a time. */
async function openAll(count, playing) {
  const tables = [];
  const some = async () => {
    while (tables.length < count) {
      const table = new Table(playing);
      tables.push(table);
      const onUpdate = (seat, bytes) => table.onUpdate(seat, bytes);
      const closed = (why) => playing.ending || fail(`a client was cut off: ${why}`);
      table.sit(await open(wanted.addresses, onUpdate, closed, wanted));
    }
  };
  await Promise.all(Array.from({ length: 8 }, some));
  return tables;
}

/** Offer moves at a steady rate, table after table, whether or not the last ones have arrived. */
function pace(tables, rate, playing) {
  const started = performance.now();
  let offered = 0;
  const tick = () => {
    if (playing.ending) return;
    const now = performance.now();
    for (; started + (1000 * offered) / rate <= now; offered++) {
      tables[offered % tables.length].due(started + (1000 * offered) / rate);
    }
    setTimeout(tick, 1);
  };
  tick();
}

function fresh() {
  return { moves: 0, latencies: [], bytes: 0, messages: 0, largest: 0 };
}

function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

const playing = { rate: wanted.rate, bots: wanted.bots, ending: false, figures: fresh(), idle: null };
const tables = await openAll(wanted.tables + wanted.spare, playing);
say('connected', { sockets: tables.reduce((sum, table) => sum + table.seats.length, 0) });
await lines.next();

const spare = tables.splice(wanted.tables);
const ranOut = new Promise((resolve) => {
  playing.ended = () => {
    const next = spare.pop();
    if (next) next.start();
    else resolve();
  };
});
if (wanted.rate > 0) pace(tables, wanted.rate, playing);
else for (const table of tables) table.start();
await sleep(wanted.warm);

playing.figures = fresh();
const began = performance.now();
const busy = cpu();
say('measuring');
await Promise.race([sleep(wanted.seconds), ranOut]);
const seconds = (performance.now() - began) / 1000;
const { moves, latencies, bytes, messages, largest } = playing.figures;
latencies.sort((a, b) => a - b);
say('measured', {
  moves, seconds, bytes, messages, largest,
  samples: latencies.length,
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
  worst: percentile(latencies, 1),
  load: (cpu() - busy) / seconds,
});
await lines.next();
playing.ending = true;
process.exit(0);
