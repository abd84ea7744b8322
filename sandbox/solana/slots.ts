import type { LiteSVM } from 'litesvm';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** How many slots must follow a transaction's. */
const AFTER = { processed: 0, confirmed: 1, finalized: 32 } as const;
export const FINAL_AFTER = AFTER.finalized;

/** For so many slots a transaction may name a block hash. */
const VALID_FOR = 150;
/** Programs may ask for the hashes of so many. */
const SLOT_HASHES = 64;
/** The times of so many slots are remembered. */
const TIMES_MAX = 10_000;

/** The slots of the chain: when each was, which hash it had, and how sure it is. */
export interface Slots {
  current(): number;
  /** Later ones. */
  advance(count?: number): void;
  /** The newest slot of this commitment. */
  at(commitment?: Commitment): number;
  commitmentOf(slot: number): Commitment;
  reaches(slot: number, commitment?: Commitment): boolean;
  /** Seconds since 1970; undefined: too long ago, or not yet. */
  timeOf(slot: number): number | undefined;
  latest(): { readonly blockhash: string; readonly lastValidBlockHeight: number };
  isValid(blockhash: string): boolean;
}

/** `svm` is asked each time, because a dropped fork puts another in its place. */
export function openSlots(svm: () => LiteSVM, first: number): Slots {
  let current = first;
  const hashes: { hash: string; slot: bigint }[] = [];
  const times = new Map<number, number>();

  function begin(slot: number) {
    current = slot;
    const seconds = Math.floor(Date.now() / 1000);
    svm().warpToSlot(BigInt(slot));
    svm().expireBlockhash();
    const clock = svm().getClock();
    clock.unixTimestamp = BigInt(seconds);
    svm().setClock(clock);
    hashes.push({ hash: svm().latestBlockhash(), slot: BigInt(slot) });
    if (hashes.length > VALID_FOR) hashes.shift();
    // A lookup table is made with the number of a recent slot, which is looked up here.
    svm().setSlotHashes(hashes.slice(-SLOT_HASHES).toReversed());
    times.set(slot, seconds);
    if (times.size > TIMES_MAX) times.delete(times.keys().next().value!);
  }
  begin(first);

  const commitmentOf = (slot: number): Commitment =>
    COMMITMENTS.findLast((commitment) => current - slot >= AFTER[commitment]) ?? 'processed';
  return {
    current: () => current,
    advance(count = 1) {
      for (let i = 0; i < count; i += 1) begin(current + 1);
    },
    at: (commitment = 'finalized') => Math.max(0, current - AFTER[commitment]),
    commitmentOf,
    reaches: (slot, commitment = 'finalized') => current - slot >= AFTER[commitment],
    timeOf: (slot) => times.get(slot),
    latest() {
      const { hash, slot } = hashes.at(-1)!;
      return { blockhash: hash, lastValidBlockHeight: Number(slot) + VALID_FOR };
    },
    isValid: (blockhash) => hashes.some(({ hash }) => hash === blockhash),
  };
}
