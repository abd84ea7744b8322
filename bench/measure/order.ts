/**
 * The order in which `count` sides are measured in a round. With an even count, each side has
 * followed each other side once after `count` rounds (Williams 1949): whatever a side leaves
 * behind, in caches or as work for autovacuum, affects another side in each round. With an odd
 * count, every second round runs backwards.
 */
export function orderOf(count: number, round: number): number[] {
  const zigzag = Array.from({ length: count }, (_, n) =>
    n % 2 === 1 ? (n + 1) / 2 : (count - n / 2) % count,
  );
  const order = zigzag.map((side) => (side + round) % count);
  return count % 2 === 1 && round % 2 === 1 ? order.toReversed() : order;
}
