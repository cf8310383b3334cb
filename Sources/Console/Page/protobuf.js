// The part of Protocol Buffers that vector tiles are written in.

const text = new TextDecoder();

/** Reads one message; what ends too soon throws a `RangeError`. */
export class Message {
  constructor(bytes, start = 0, end = bytes.length) {
    if (end > bytes.length) throw new RangeError("a message ends too soon");
    Object.assign(this, { bytes, at: start, end });
  }

  /** Calls `take` with each field's number; what it does not read is passed over. */
  each(take) {
    while (this.at < this.end) {
      const key = this.varint();
      this.type = key & 7;
      const before = this.at;
      take(key >>> 3);
      if (this.at === before) this.#skip();
    }
  }

  /** Reads a number of up to 53 bits; longer ones lose their lowest. */
  varint() {
    let value = 0;
    for (let factor = 1; this.at < this.end; factor *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      if (factor > 2 ** 63) break;
    }
    throw new RangeError("a number has no end");
  }

  /** Reads a number whose lowest bit is its sign. */
  signed() {
    const value = this.varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  /** Reads a message within this one. */
  message() {
    const end = this.varint() + this.at;
    if (end > this.end) throw new RangeError("a message ends too soon");
    const inner = new Message(this.bytes, this.at, end);
    this.at = end;
    return inner;
  }

  string() {
    const { bytes, at, end } = this.message();
    return text.decode(bytes.subarray(at, end));
  }

  /** Reads a number of 4 or 8 bytes. */
  fixed(method, size) {
    if (this.at + size > this.end) throw new RangeError("a number ends too soon");
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset);
    this.at += size;
    return view[method](this.at - size, true);
  }

  #skip() {
    if (this.type === 0) this.varint();
    else if (this.type === 1) this.at += 8;
    else if (this.type === 2) this.message();
    else if (this.type === 5) this.at += 4;
    else throw new RangeError("a field of an unknown type");
  }
}
