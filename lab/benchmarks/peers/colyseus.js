// Colyseus, in memory, set up as its documentation recommends: hands are fields with `.view()`, and
// every client has a StateView; the state is sent after every move and not at the default of 20 Hz,
// because the next player waits for it.
import { Room, Server } from '@colyseus/core';
import { schema, StateView, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { bid, DECK, deal, play, SEATS } from './rules.js';

const Player = schema({ hand: t.set('uint8').view() }, 'Player');

const Seat = schema({ bid: t.int8(), tricks: t.uint8(), score: t.int16() }, 'Seat');

const Tricks = schema(
  {
    ply: t.uint32(),
    round: t.uint8(),
    turn: t.uint8(),
    first: t.uint8(),
    leader: t.uint8(),
    led: t.int8(),
    trump: t.uint8(),
    trick: t.array('uint8'),
    seats: t.array(Seat),
    players: t.array(Player),
  },
  'Tricks',
);

function shuffled() {
  const deck = [...DECK];
  for (let last = deck.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

class TricksRoom extends Room {
  maxClients = SEATS;
  patchRate = null;

  onCreate() {
    const state = new Tricks();
    Object.assign(state, { ply: 0, round: 0, turn: 0, first: 0, leader: 0, led: -1, trump: 0 });
    for (let seat = 0; seat < SEATS; seat++) {
      state.players.push(new Player());
      state.seats.push(new Seat({ bid: -1, tricks: 0, score: 0 }));
    }
    deal(state, shuffled());
    this.state = state;
    this.onMessage('bid', (client, tricks) => this.decide(bid(state, client.userData, tricks)));
    this.onMessage('play', (client, card) =>
      this.decide(play(state, client.userData, card, shuffled)),
    );
  }

  onJoin(client, { seat }) {
    client.userData = seat;
    client.view = new StateView();
    client.view.add(this.state.players[seat]);
  }

  decide(allowed) {
    if (!allowed) return;
    this.state.ply += 1;
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('tricks', TricksRoom);
await server.listen(Number(process.env.PORT), '127.0.0.1');
