/** SQL: what the tree of this root can spend, in micro-dollars. */
export const balanceOf = (root: string): string =>
  `(select credit + cash from ledger.treasury where id = ${root})`;
