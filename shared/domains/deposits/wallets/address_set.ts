/** 32-bit words per address, in a table that is at most half full. */
const WORDS = 2;
const FIRST_SLOTS = 4_096;

/**
 * A set of addresses that can be tested, not listed. It takes 16 to 32 bytes per address and keeps
 * a hash of 64 bits, so a test may very rarely be true for another address. It never misses one.
 */
export class AddressSet {
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.#table.byteLength;
  }

  has(address: string): boolean {
    const [high, low] = printOf(address);
    return this.#table[this.#find(high, low) + 1] !== 0;
  }

  add(address: string): void {
    if (2 * WORDS * (this.#size + 1) > this.#table.length) this.#grow();
    const [high, low] = printOf(address);
    this.#put(high, low);
  }

  #put(high: number, low: number): void {
    const at = this.#find(high, low);
    if (this.#table[at + 1] !== 0) return;
    this.#table[at] = high;
    this.#table[at + 1] = low;
    this.#size += 1;
  }

  /** The slot of an address, or the slot where it would be. */
  #find(high: number, low: number): number {
    const table = this.#table;
    const slots = table.length / WORDS;
    let slot = high & (slots - 1);
    for (;;) {
      const at = slot * WORDS;
      if (table[at + 1] === 0 || (table[at] === high && table[at + 1] === low)) return at;
      slot = (slot + 1) & (slots - 1);
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(before.length * 2);
    this.#size = 0;
    for (let at = 0; at < before.length; at += WORDS) {
      if (before[at + 1] !== 0) this.#put(before[at]!, before[at + 1]!);
    }
  }
}

/** Two 32-bit FNV-1a hashes from different starts. The second is never 0, an empty slot. */
function printOf(address: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x9dc5811c;
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  high ^= high >>> 16;
  return [high >>> 0, low >>> 0 || 1];
}
