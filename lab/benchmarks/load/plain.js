// A random legal move in the game that the peers serve.
const RANKS = 16;

const suit = (card) => Math.floor(card / RANKS);

const any = (list) => list[Math.floor(Math.random() * list.length)];

/** A move for `seat`, as its type and value; `game` has the fields that both peers show. */
export function anyLegal(game, seat, hand) {
  if (game.seats[seat].bid === -1) return ['bid', Math.floor(Math.random() * (hand.length + 1))];
  const following = game.led === -1 ? [] : hand.filter((card) => suit(card) === game.led);
  return ['play', any(following.length > 0 ? following : hand)];
}
