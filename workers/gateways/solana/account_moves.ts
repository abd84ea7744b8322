/** Balance of an account before a transaction and after it. */
export interface AccountMove {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * The balance before all transactions of one slot, which providers list in no order that is
 * promised: it is the one that more of them found than left. Undefined: they end where they began,
 * by more than one balance, so the next slot tells it.
 */
export function heldBefore(moves: readonly AccountMove[]): bigint | undefined {
  const more = new Map<bigint, number>();
  for (const { before, after } of moves) {
    more.set(before, (more.get(before) ?? 0) + 1);
    more.set(after, (more.get(after) ?? 0) - 1);
  }
  const first = [...more].filter(([, count]) => count > 0);
  if (first.length > 1 || (first[0]?.[1] ?? 0) > 1) {
    throw new Error('a provider leaves out transactions of a slot');
  }
  if (first[0]) return first[0][0];
  return more.size === 1 ? [...more.keys()][0] : undefined;
}
