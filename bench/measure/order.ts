/**
 * The order in which `count` sides are measured in a round. With an even count, after `count`
 * rounds each side has followed each other one once (Williams 1949): what one leaves behind, in
 * caches or as work for autovacuum, falls on another one in each round. With an odd count every
 * second round runs backwards.
 */
export function orderOf(count: number, round: number): number[] {
  const zigzag = Array.from({ length: count }, (_, n) =>
    n % 2 === 1 ? (n + 1) / 2 : (count - n / 2) % count,
  );
  const order = zigzag.map((side) => (side + round) % count);
  return count % 2 === 1 && round % 2 === 1 ? order.toReversed() : order;
}
