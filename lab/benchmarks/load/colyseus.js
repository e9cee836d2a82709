// A client of Colyseus: its binary protocol, decoded by its own library.
import { createRequire } from 'node:module';
import { call } from './http.js';
import { anyLegal } from './plain.js';
import { Socket } from './socket.js';

const need = createRequire(`${process.env.RAGE_PEERS}/package.json`);
const { Reflection } = need('@colyseus/schema');
const { pack } = need('msgpackr');

const JOIN_ROOM = 10;
const ROOM_DATA = 13;
const ROOM_STATE = 14;
const ROOM_STATE_PATCH = 15;

/** The length and the start of a block that is preceded by its length, in the encoding of schema. */
function block(bytes, start) {
  const first = bytes[start];
  if (first < 0x80) return [first, start + 1];
  if (first === 0xcc) return [bytes[start + 1], start + 2];
  if (first === 0xcd) return [bytes.readUInt16LE(start + 1), start + 3];
  throw new Error(`an unexpected length: ${first}`);
}

class Seat {
  constructor(number) {
    Object.assign(this, { number, ply: -1, mine: false, over: false });
  }

  async connect(address, reserved, onUpdate, closed) {
    let ready;
    const synced = new Promise((resolve) => (ready = resolve));
    const receive = (payload) => {
      const code = payload[0];
      if (code === JOIN_ROOM) {
        const name = 1 + 1 + payload[1]; // after the reconnection token
        const [length, start] = block(payload, name + 1 + payload[name]);
        this.decoder = Reflection.decode(payload.subarray(start, start + length));
        this.socket.send(Buffer.from([JOIN_ROOM]));
      } else if (code === ROOM_STATE || code === ROOM_STATE_PATCH) {
        this.decoder.decode(payload.subarray(1));
        this.apply(this.decoder.state);
        if (code === ROOM_STATE) ready();
        else onUpdate(payload.length);
      }
    };
    const path = `/${reserved.processId}/${reserved.roomId}?sessionId=${reserved.sessionId}`;
    this.socket = new Socket(address, path, {}, receive, closed);
    await this.socket.opened;
    await synced;
  }

  apply(state) {
    this.state = state;
    this.ply = state.ply;
    this.mine = state.turn === this.number;
    const seen = state.players.filter((player) => player.hand !== undefined).length;
    if (seen !== 1) throw new Error(`${seen} hands are visible`);
  }

  move() {
    const [type, value] = anyLegal(this.state, this.number, [...this.state.players[this.number].hand.values()]);
    const name = Buffer.from(type);
    const head = Buffer.from([ROOM_DATA, 0xa0 | name.length]);
    this.socket.send(Buffer.concat([head, name, pack(value)]));
  }
}

/** Open a table: four seats, all connected. */
export async function open([address], onUpdate, closed) {
  const seats = [];
  let room = 'create/tricks';
  for (let number = 0; number < 4; number++) {
    const { data: reserved } = await call('POST', `${address}/matchmake/${room}`, { seat: number });
    const seat = new Seat(number);
    await seat.connect(address, reserved, (bytes) => onUpdate(seat, bytes), closed);
    seats.push(seat);
    room = `joinById/${reserved.roomId}`;
  }
  return seats;
}
