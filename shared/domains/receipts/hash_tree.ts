import { createHash } from 'node:crypto';

/**
 * Hash trees over the receipts of a day, as RFC 9162 (section 2.1) has them: `root` says all of
 * them, and a path of a few hashes proves that one is among them.
 */

/** Receipts under one stored hash of a day: a power of two, so that it is a node of the tree. */
export const BLOCK = 1024;

export const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The leaf of a receipt, of its hash. */
export const leafOf = (hash: Buffer): Buffer => sha256(LEAF, hash);

/** The root over nodes of one level: leaves, or blocks that are full but for the last. */
export function rootOf(nodes: readonly Buffer[]): Buffer {
  if (nodes.length === 0) return sha256();
  if (nodes.length === 1) return nodes[0]!;
  const half = halfOf(nodes.length);
  return sha256(NODE, rootOf(nodes.slice(0, half)), rootOf(nodes.slice(half)));
}

/** The hashes that lead from a node to the root, the nearest first. */
export function pathOf(nodes: readonly Buffer[], index: number): Buffer[] {
  if (nodes.length <= 1) return [];
  const half = halfOf(nodes.length);
  const [left, right] = [nodes.slice(0, half), nodes.slice(half)];
  return index < half
    ? [...pathOf(left, index), rootOf(right)]
    : [...pathOf(right, index - half), rootOf(left)];
}

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The largest power of two below a count. */
const halfOf = (count: number): number => 2 ** Math.floor(Math.log2(count - 1));
