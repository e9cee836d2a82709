// One table as the load generator sees it: its clients, and the moves that not all have seen yet.

export class Table {
  constructor(playing) {
    this.playing = playing;
    this.seats = [];
    this.pending = [];
    this.running = false;
    this.overdue = 0;
  }

  sit(seats) {
    this.seats = seats;
  }

  /** Play from now on; each player moves as soon as it is their turn. */
  start() {
    this.running = true;
    this.go();
  }

  /** A move is due at this moment; if nobody can move yet, the next one counts as late. */
  due(moment) {
    this.running = true;
    if (this.overdue === 0) this.overdue = moment;
    this.go();
  }

  go() {
    const paced = this.playing.rate > 0;
    if (!this.running || (paced && this.overdue === 0)) return;
    const mover = this.seats.find((seat) => seat.mine && seat.asked !== seat.ply);
    if (mover === undefined) return;
    const now = performance.now();
    // A timer is a moment late itself; more than that is the server's, and counts.
    const late = paced && this.playing.bots === 0 && now - this.overdue > 20;
    this.pending.push({
      ply: mover.ply,
      at: late ? this.overdue : now,
      waiting: new Set(this.seats.filter((seat) => seat !== mover)),
      figures: this.playing.figures,
    });
    this.overdue = 0;
    mover.asked = mover.ply;
    mover.move();
  }

  /** A seat has decoded an update of that many bytes. */
  onUpdate(seat, bytes) {
    const { figures } = this.playing;
    figures.bytes += bytes;
    figures.messages += 1;
    if (bytes > figures.largest) figures.largest = bytes;
    const { pending } = this;
    for (let place = 0; place < pending.length; place++) {
      const move = pending[place];
      if (seat.ply <= move.ply || !move.waiting.delete(seat) || move.waiting.size > 0) continue;
      figures.moves += 1;
      if (move.figures === figures) figures.latencies.push(performance.now() - move.at);
      pending.splice(place--, 1);
    }
    if (seat.over) {
      if (this.seats.every((each) => each.over) && this.running) {
        this.running = false;
        this.playing.ended();
      }
    } else if (seat.mine) this.go();
  }
}
