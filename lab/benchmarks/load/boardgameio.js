// A client of boardgame.io: Socket.IO over one WebSocket, with whole filtered states.
import { call } from './http.js';
import { anyLegal } from './plain.js';
import { Socket } from './socket.js';

const NAMESPACE = '/tricks';

class Seat {
  constructor(match, number, credentials) {
    Object.assign(this, { match, number, credentials, ply: -1, mine: false, over: false });
  }

  async connect(address, onUpdate, closed) {
    let ready;
    const synced = new Promise((resolve) => (ready = resolve));
    const receive = (payload) => {
      const text = payload.toString();
      if (text === '2') return this.socket.send('3');
      if (text[0] === '0') return this.socket.send(`40${NAMESPACE},`);
      if (text.startsWith('40')) return this.emit('sync', this.match, this.player, this.credentials, 4);
      if (!text.startsWith('42')) return;
      const [name, ...args] = JSON.parse(text.slice(text.indexOf('[')));
      const state = name === 'update' ? args[1] : name === 'sync' ? args[1].state : null;
      if (state === null) return;
      this.apply(state);
      if (name === 'sync') ready();
      else onUpdate(payload.length);
    };
    this.socket = new Socket(address, '/socket.io/?EIO=4&transport=websocket', {}, receive, closed);
    await this.socket.opened;
    await synced;
  }

  get player() {
    return String(this.number);
  }

  apply(state) {
    this.state = state;
    this.ply = state._stateID;
    this.mine = state.ctx.currentPlayer === this.player;
    if (Object.keys(state.G.players).length !== 1) throw new Error('hands of other players are visible');
  }

  move() {
    const { G } = this.state;
    const [type, value] = anyLegal(G, this.number, G.players[this.player].hand);
    const payload = { type, args: [value], playerID: this.player, credentials: this.credentials };
    this.emit('update', { type: 'MAKE_MOVE', payload }, this.ply, this.match, this.player);
  }

  emit(...message) {
    this.socket.send(`42${NAMESPACE},${JSON.stringify(message)}`);
  }
}

/** Open a table: four seats, all connected. */
export async function open([address], onUpdate, closed) {
  const games = `${address}/games/tricks`;
  const { data: made } = await call('POST', `${games}/create`, { numPlayers: 4 });
  const seats = [];
  for (let number = 0; number < 4; number++) {
    const player = { playerID: String(number), playerName: `player ${number}` };
    const { data: joined } = await call('POST', `${games}/${made.matchID}/join`, player);
    const seat = new Seat(made.matchID, number, joined.playerCredentials);
    await seat.connect(address, (bytes) => onUpdate(seat, bytes), closed);
    seats.push(seat);
  }
  return seats;
}
