// A minimal WebSocket client (RFC 6455 over a plain socket), so that the load generator is never the
// bottleneck. It speaks only to servers that we started ourselves: no extensions, no TLS.
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const NOTHING = Buffer.alloc(0);

export class Socket {
  /** `receive(payload)` is called with each whole message, `closed(why)` at most once. */
  constructor(address, path, headers, receive, closed) {
    this.receive = receive;
    this.closed = closed;
    this.left = NOTHING;
    this.parts = [];
    this.ended = false;
    const { hostname, port } = new URL(address);
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.opened = new Promise((resolve, reject) => {
      this.socket.on('error', (error) => (reject(error), this.end(String(error))));
      this.socket.on('close', () => (reject(new Error('closed')), this.end('closed')));
      this.handshake(`${hostname}:${port}`, path, headers, resolve, reject);
    });
  }

  handshake(host, path, headers, resolve, reject) {
    const key = randomBytes(16).toString('base64');
    const expected = createHash('sha1').update(key + GUID).digest('base64');
    const lines = [
      `GET ${path} HTTP/1.1`, `Host: ${host}`, 'Upgrade: websocket', 'Connection: Upgrade',
      `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Version: 13',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    let answer = NOTHING;
    const read = (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = answer.subarray(0, end).toString('latin1');
      if (!/^HTTP\/1\.1 101/.test(head) || !head.includes(expected)) {
        return reject(new Error(`refused: ${head.split('\r\n')[0]} for ${path}`));
      }
      this.socket.off('data', read);
      this.socket.on('data', (data) => this.read(data));
      resolve();
      this.read(answer.subarray(end + 4));
    };
    this.socket.on('data', read);
  }

  read(chunk) {
    let data = this.left.length === 0 ? chunk : Buffer.concat([this.left, chunk]);
    for (;;) {
      if (data.length < 2) break;
      let length = data[1] & 127;
      let start = 2;
      if (length === 126) {
        if (data.length < 4) break;
        length = data.readUInt16BE(2);
        start = 4;
      } else if (length === 127) {
        if (data.length < 10) break;
        length = Number(data.readBigUInt64BE(2));
        start = 10;
      }
      if (data.length < start + length) break;
      this.frame(data[0], data.subarray(start, start + length));
      data = data.subarray(start + length);
    }
    this.left = data;
  }

  frame(first, payload) {
    const opcode = first & 15;
    if (opcode === PING) return this.write(PONG, payload);
    if (opcode === PONG) return;
    if (opcode === CLOSE) {
      const code = payload.length > 1 ? payload.readUInt16BE(0) : 1005;
      return this.end(`closed by the server: ${code} ${payload.subarray(2)}`);
    }
    if (first & 128 && this.parts.length === 0) return this.receive(payload);
    this.parts.push(payload);
    if (first & 128) this.receive(Buffer.concat(this.parts.splice(0)));
  }

  /** Send a text, or bytes. */
  send(message) {
    if (typeof message === 'string') this.write(TEXT, Buffer.from(message));
    else this.write(BINARY, message);
  }

  write(opcode, payload) {
    const long = payload.length > 125;
    const start = long ? 8 : 6;
    const frame = Buffer.allocUnsafe(start + payload.length);
    frame[0] = 128 | opcode;
    frame[1] = 128 | (long ? 126 : payload.length);
    if (long) frame.writeUInt16BE(payload.length, 2);
    const mask = (Math.random() * 0x100000000) >>> 0;
    frame.writeUInt32BE(mask, start - 4);
    for (let place = 0; place < payload.length; place++) {
      frame[start + place] = payload[place] ^ frame[start - 4 + (place & 3)];
    }
    if (!this.ended) this.socket.write(frame);
  }

  end(why) {
    if (this.ended) return;
    this.ended = true;
    this.socket.destroy();
    this.closed(why);
  }
}
