/** SQL: what the tree of this root can spend, in micro-dollars. */
export const balanceOf = (root: string): string =>
  `(select credit + cash from ledger.treasury where id = ${root})`;

/** SQL: whether what a tree holds compares so, as `< 5`, and it owes nothing. */
export const spendableIs = (root: string, compares: string): string =>
  `exists (select from ledger.treasury
            where id = ${root} and owed = 0 and credit + cash ${compares})`;
