// A client of Rage (docs/protocol.md). Every person has a cookie of their own, like a browser.
import { call } from './http.js';
import { Socket } from './socket.js';

const ASKS = { 'x-rage': '1' };

class Seat {
  constructor(cookie) {
    Object.assign(this, { cookie, ply: -1, mine: false, over: false, asks: 0 });
  }

  async connect(address, table, onUpdate, closed) {
    let ready;
    const welcomed = new Promise((resolve) => (ready = resolve));
    const receive = (payload) => {
      const message = JSON.parse(payload);
      if (message.type === 'update') {
        this.apply(message);
        onUpdate(payload.length);
      } else if (message.type === 'table') {
        this.apply({ ...message, events: [] });
        this.ply = message.table.ply;
        this.sits = message.table.me !== null;
        ready();
      } else if (message.type === 'refused') {
        throw new Error(`refused: ${JSON.stringify(message)}`);
      }
    };
    const headers = { Origin: address, Cookie: this.cookie };
    this.socket = new Socket(address, `/ws/${table}`, headers, receive, closed);
    await this.socket.opened;
    await welcomed;
  }

  apply({ events, turn, to_act: next }) {
    for (const event of events) {
      if (event.type === 'played') this.ply = event.ply + 1;
      else if (event.type === 'game_over') this.over = true;
      else if (event.type === 'dealt' || event.type === 'started') this.begun = true;
      if (event.type === 'dealt' && event.hands.filter((hand) => hand !== null).length > 1) {
        throw new Error('hands of other players are visible');
      }
    }
    if (next !== undefined) this.mine = false;
    if (turn !== undefined) {
      this.mine = true;
      this.legal = turn.legal.split(' ');
    }
  }

  move() {
    const move = this.legal[Math.floor(Math.random() * this.legal.length)];
    this.do({ type: 'play', ply: this.ply, move });
  }

  do(command) {
    this.socket.send(JSON.stringify({ id: ++this.asks, do: command }));
  }
}

async function somebody(address) {
  const { cookies } = await call('GET', `${address}/api/me`);
  return new Seat(cookies.join('; '));
}

/** The server where a table is played: by its code, as a proxy decides. */
function routed(addresses, table) {
  const sum = [...table].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return addresses[sum % addresses.length];
}

/** Open a table of poof for four, with that many bots. Returns the people's seats, all connected. */
export async function open(addresses, onUpdate, closed, { bots }) {
  const [address] = addresses;
  const seats = [];
  for (let number = 0; number < 4 - bots; number++) seats.push(await somebody(address));
  const [host] = seats;
  const wanted = { rules: 'poof', players: 4, name: 'one', bots: Array(bots).fill('steady') };
  const headers = { ...ASKS, origin: address, cookie: host.cookie };
  const { data } = await call('POST', `${address}/api/tables`, wanted, headers);
  for (const [number, seat] of seats.entries()) {
    await seat.connect(routed(addresses, data.table), data.table, (bytes) => onUpdate(seat, bytes), closed);
    if (number > 0) seat.do({ type: 'join', name: `player ${number}` });
    await until(() => seat.sits);
  }
  host.do({ type: 'start' });
  await until(() => seats.every((seat) => seat.begun));
  return seats;
}

async function until(so) {
  while (!so()) await new Promise((done) => setTimeout(done, 1));
}
