/** A question of JSON-RPC. */
export type Question = readonly [method: string, params: readonly unknown[]];
