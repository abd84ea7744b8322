import { sha256 } from '../../shared/domains/receipts/hash_tree.ts';

/**
 * The root that a path leads to from a leaf (RFC 9162, section 2.1.3.2), as somebody works it out
 * who has only the document of a day and what get_receipt answers.
 */
export function rootFrom(
  leaf: Buffer,
  { index, count, path }: { index: number; count: number; path: readonly Buffer[] },
): Buffer {
  if (count === 1) return leaf;
  let half = 1;
  while (half * 2 < count) half *= 2;
  const [rest, last] = [path.slice(0, -1), path.at(-1)!];
  return index < half
    ? sha256(Buffer.from([1]), rootFrom(leaf, { index, count: half, path: rest }), last)
    : sha256(
        Buffer.from([1]),
        last,
        rootFrom(leaf, { index: index - half, count: count - half, path: rest }),
      );
}
