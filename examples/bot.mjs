// A bot for Rage in JavaScript: bids what its high cards are worth, and plays high while it needs
// tricks. From the folder of this file: rage arena "program:node bot.mjs" random
import { createInterface } from 'node:readline';

const wins = (card, trump) => /^W/.test(card) || +card.slice(1) >= (card[0] === trump ? 8 : 14);
const strength = (move, trump) =>
  (/^W/.test(move) ? 100 : move[0] === trump ? 40 : 0) + (+move.slice(1) || 0);

function choose({ view }) {
  const hand = view.hand.split(' ');
  if (view.bidding) {
    const bid = String(hand.filter((card) => wins(card, view.trump)).length);
    return view.legal.includes(bid) ? bid : view.legal[0]; // a rule set may forbid a bid
  }
  const wanted = view.rounds.at(-1).bids[view.seat] - view.won[view.seat];
  const moves = view.legal.toSorted((a, b) => strength(a, view.trump) - strength(b, view.trump));
  return moves.at(wanted > 0 ? -1 : 0);
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ move: choose(JSON.parse(line)) }));
}
