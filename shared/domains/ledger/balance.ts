/** SQL: the balance of the tree of this root, in micro-dollars. */
export const balanceOf = (root: string): string =>
  `(select credit + cash from ledger.treasury where id = ${root})`;

/** SQL: whether a tree owes nothing and its balance meets a comparison, as `< 5`. */
export const spendableIs = (root: string, compares: string): string =>
  `exists (select from ledger.treasury
            where id = ${root} and owed = 0 and credit + cash ${compares})`;
