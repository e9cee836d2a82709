// boardgame.io, in memory, set up as its documentation recommends: hands in `G.players`, which
// PlayerView.STRIP_SECRETS hides from others; one move per turn; no undo, which would store every move
// twice; no `deltaState`, which sends 140 bytes instead of 940, but at a fifth of the speed.
import boardgame from 'boardgame.io/dist/cjs/core.js';
import server from 'boardgame.io/dist/cjs/server.js';
import { bid, DECK, newGame, play } from './rules.js';

const turnOrder = { first: ({ G }) => G.turn, next: ({ G }) => G.turn };

const game = {
  name: 'tricks',
  setup: ({ random }) => newGame(random.Shuffle(DECK)),
  playerView: boardgame.PlayerView.STRIP_SECRETS,
  disableUndo: true,
  turn: { minMoves: 1, maxMoves: 1, order: turnOrder },
  moves: {
    bid: {
      client: false,
      move: ({ G, playerID }, tricks) => {
        if (!bid(G, Number(playerID), tricks)) return boardgame.INVALID_MOVE;
      },
    },
    play: {
      client: false,
      move: ({ G, playerID, random }, card) => {
        if (!play(G, Number(playerID), card, () => random.Shuffle(DECK))) {
          return boardgame.INVALID_MOVE;
        }
      },
    },
  },
};

const { run } = server.Server({ games: [game], origins: [server.Origins.LOCALHOST] });
await run({ port: Number(process.env.PORT) });
