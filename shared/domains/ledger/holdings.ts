import type { EntityManager } from 'typeorm';

import { column, namesOf, row, rows, type Database } from '../../platform/rows.ts';
import { BALANCE_COLUMNS, type Funds } from './ledger.ts';
import type { Micros } from '../../kernel/money.ts';

/** The balance of a tree, and the money in the escrows that it filled. */
export interface Holdings {
  readonly funds: Funds;
  readonly escrows: Funds;
  /** The cash that has ever come in to stay (shared/domains/ledger/tiers.ts). */
  readonly inflow: Micros;
  /** Debt, as in Balance. */
  readonly owed: Micros;
}

export async function findHoldings(
  db: Database,
  rootIds: readonly number[],
): Promise<ReadonlyMap<number, Holdings>> {
  const found = await rows(
    db,
    HOLDINGS,
    `select ${namesOf(HOLDINGS)} from ledger.treasury where id = any ($1)`,
    [rootIds],
  );
  return new Map(
    found.map(({ id, credit, cash, escrow_credit, escrow_cash, inflow, owed }) => [
      id,
      {
        funds: { credit, cash },
        escrows: { credit: escrow_credit, cash: escrow_cash },
        inflow,
        owed,
      },
    ]),
  );
}

const HOLDINGS = {
  id: column.id,
  ...BALANCE_COLUMNS,
  escrow_credit: column.micros,
  escrow_cash: column.micros,
  inflow: column.micros,
};

/** The cash that has ever come into a tree to stay (shared/domains/ledger/tiers.ts). */
export async function inflowOf(db: EntityManager, rootId: number): Promise<Micros> {
  const sql = 'select inflow from ledger.treasury where id = $1';
  return (await row(db, { inflow: column.micros }, sql, [rootId])).inflow;
}

/** Those of the trees into which cash has come to stay. */
export async function payingAmong(
  db: Database,
  rootIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const sql = 'select id from ledger.treasury where id = any ($1) and inflow > 0';
  const found = await rows(db, { id: column.id }, sql, [rootIds]);
  return new Set(found.map(({ id }) => id));
}

/** Trees that owe something and have cash. `due` is a condition in SQL on the table treasury. */
export async function findOwing(
  db: EntityManager,
  due: string,
  treesMax: number,
): Promise<number[]> {
  const found = await rows(
    db,
    { id: column.id },
    `select id from ledger.treasury where owed > 0 and cash > 0 and ${due} order by id limit $1`,
    [treesMax],
  );
  return found.map(({ id }) => id);
}
