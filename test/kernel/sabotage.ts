/** A statement that makes a proof untrue. */
export interface Sabotage {
  readonly proof: string;
  /** The fault that it makes: a part of the test's name. */
  readonly what: string;
  /** `:name` is an id of the scene. */
  readonly sql: string;
  /** Other proofs that it makes untrue. */
  readonly also?: readonly string[];
}

/** SQL: changes the treasury of this tree. */
export const moves = (agent: string, change: string) =>
  `update ledger.treasury set ${change} where id = ${agent};`;

/** SQL: a transfer of cash; from and to are accounts, as `treasury` writes them. */
export const transfer = (kind: string, ref: string, cash: number, from: string, to: string) =>
  `insert into ledger.transfer
     (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
   values (${ref}, '${kind}', ${from}, ${to}, 0, ${cash});`;
export const treasury = (agent: string) => `'treasury', ${agent}, ${agent}`;

/** The proof of what the wallet lists as held: it notices what is untrue of open objects, too. */
export const LISTED = 'what is listed as held of each tree is what its escrows hold';
