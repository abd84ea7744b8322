/** Above all indexes of payments by chain, which are of the same networks. */
export const INDEX_FROM = 1_000_000_000;

/**
 * The index of the deposit of a transfer, whose log has that number in its block. Payments of the
 * same transaction to addresses of deposits have the numbers of their logs in its receipt.
 */
export const indexOf = (logIndex: number): number => INDEX_FROM + logIndex;
