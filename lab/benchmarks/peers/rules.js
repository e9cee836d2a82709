// The plain trick-taking game that both peers serve: four seats, ten rounds of ten cards down to one,
// one bid each, then tricks; players must follow suit, and trumps win. After 40 bids and 220 cards,
// 260 moves, it starts again. A card is a number from 0 to 95: six suits of sixteen ranks.

export const SEATS = 4;
const ROUNDS = 10;
const RANKS = 16;
const NOBODY = -1;

export const DECK = Array.from({ length: 6 * RANKS }, (_, card) => card);

export const suit = (card) => Math.floor(card / RANKS);

const nextSeat = (seat) => (seat + 1) % SEATS;

const cardsIn = (round) => 10 - round;

/** Whether a card of a hand may be played to what was led. */
function mayPlay(hand, card, led) {
  const cards = [...hand.values()];
  const follows = led === NOBODY || suit(card) === led;
  return cards.includes(card) && (follows || !cards.some((each) => suit(each) === led));
}

// Hands are arrays for immer, but sets for Colyseus, whose arrays lose track of items between patches.

function give(hand, cards) {
  if (Array.isArray(hand)) hand.push(...cards);
  else for (const card of cards) hand.add(card);
}

function take(hand, card) {
  if (Array.isArray(hand)) hand.splice(hand.indexOf(card), 1);
  else hand.delete(card);
}

/** The seat that wins a whole trick, led by `leader`. */
function winner(trick, leader, trump) {
  const strength = (card) =>
    (card % RANKS) + RANKS * (suit(card) === trump ? 2 : suit(card) === suit(trick[0]) ? 1 : 0);
  let best = 0;
  for (let place = 1; place < SEATS; place++) {
    if (strength(trick[place]) > strength(trick[best])) best = place;
  }
  return (leader + best) % SEATS;
}

/** The plain form of a new game; `shuffled` is the whole deck in the order of the deal. */
export function newGame(shuffled) {
  const game = {
    round: 0, turn: 0, first: 0, leader: 0, led: NOBODY, trump: 0,
    trick: [],
    seats: Array.from({ length: SEATS }, () => ({ bid: NOBODY, tricks: 0, score: 0 })),
    players: { 0: { hand: [] }, 1: { hand: [] }, 2: { hand: [] }, 3: { hand: [] } },
  };
  deal(game, shuffled);
  return game;
}

/** Deal a round; works on immer's drafts and on Colyseus's schemas alike. */
export function deal(game, shuffled) {
  const cards = cardsIn(game.round);
  for (let seat = 0; seat < SEATS; seat++) {
    give(game.players[seat].hand, shuffled.slice(seat * cards, (seat + 1) * cards));
    Object.assign(game.seats[seat], { bid: NOBODY, tricks: 0 });
  }
  game.trump = suit(shuffled[SEATS * cards]);
  game.first = game.turn = game.leader = game.round % SEATS;
  game.led = NOBODY;
}

/** Bid for the seat whose turn it is; false if that is not allowed. */
export function bid(game, seat, tricks) {
  const allowed = Number.isInteger(tricks) && tricks >= 0 && tricks <= cardsIn(game.round);
  if (seat !== game.turn || game.seats[seat].bid !== NOBODY || !allowed) return false;
  game.seats[seat].bid = tricks;
  game.turn = nextSeat(seat);
  return true;
}

/** Play a card; false if that is not allowed. `shuffle` is called when a round begins. */
export function play(game, seat, card, shuffle) {
  const { hand } = game.players[seat];
  const bidding = game.seats[game.turn].bid === NOBODY;
  if (seat !== game.turn || bidding || !mayPlay(hand, card, game.led)) return false;
  // A finished trick stays until the next one is led, so that everybody can see it.
  if (game.led === NOBODY) {
    game.trick.splice(0, game.trick.length);
    game.led = suit(card);
  }
  take(hand, card);
  game.trick.push(card);
  if (game.trick.length < SEATS) game.turn = nextSeat(seat);
  else endTrick(game, shuffle);
  return true;
}

function endTrick(game, shuffle) {
  const taker = winner([...game.trick], game.leader, game.trump);
  game.seats[taker].tricks += 1;
  game.turn = game.leader = taker;
  game.led = NOBODY;
  if ([...game.players[taker].hand.values()].length > 0) return;
  game.round = (game.round + 1) % ROUNDS;
  for (let seat = 0; seat < SEATS; seat++) {
    const { bid: wanted, tricks, score } = game.seats[seat];
    const total = score + tricks + (wanted === tricks ? 10 : -5);
    game.seats[seat].score = game.round === 0 ? 0 : total;
  }
  deal(game, shuffle());
}
