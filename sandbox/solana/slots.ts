import type { LiteSVM } from 'litesvm';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** Number of slots that must follow a transaction's. */
const AFTER = { processed: 0, confirmed: 1, finalized: 32 } as const;
export const FINAL_AFTER = AFTER.finalized;

/** Slots for which a block hash is valid in a transaction. */
const VALID_FOR = 150;
/** Number of slots whose hashes programs may read. */
const SLOT_HASHES = 64;
/** Number of slots whose times are kept. */
const TIMES_MAX = 10_000;

/** The slots of the chain: times, hashes and commitments. */
export interface Slots {
  current(): number;
  /** Moves to later slots. */
  advance(count?: number): void;
  /** Newest slot of this commitment. */
  at(commitment?: Commitment): number;
  commitmentOf(slot: number): Commitment;
  reaches(slot: number, commitment?: Commitment): boolean;
  /** Seconds since 1970; undefined: too long ago, or not yet. */
  timeOf(slot: number): number | undefined;
  latest(): { readonly blockhash: string; readonly lastValidBlockHeight: number };
  isValid(blockhash: string): boolean;
}

/** `svm` is called each time, because a dropped fork replaces it. */
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
    // A lookup table is created with a recent slot, which is looked up here.
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
