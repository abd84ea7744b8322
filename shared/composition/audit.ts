import type { DataSource } from 'typeorm';

import { agentsProofs } from '../agents/proofs.ts';
import { emailProofs } from '../email/proofs.ts';
import type { Proof } from '../ledger/proof.ts';
import { ledgerProofs } from '../ledger/proofs.ts';
import { ordersProofs } from '../orders/proofs.ts';
import { transact } from '../platform/database.ts';
import { column, execute, jsonOf, row, rows } from '../platform/rows.ts';
import { productsProofs } from '../products/proofs.ts';
import { proxiesProofs } from '../proxies/proofs.ts';
import { walletProofs } from '../wallet/proofs.ts';

/** The proofs of every domain: the ledger by itself first, then what must agree with it. */
const PROOFS: readonly Proof[] = [
  ...ledgerProofs,
  ...ordersProofs,
  ...walletProofs,
  ...emailProofs,
  ...proxiesProofs,
  ...productsProofs,
  ...agentsProofs,
];

const ROWS_MAX = 20;

/** A row for which a proof does not hold. */
export interface Difference {
  readonly proof: string;
  readonly row: Record<string, unknown>;
}

/** How much an audit looked at. */
export interface AuditSize {
  readonly proofs: number;
  readonly orders: number;
  readonly transfers: number;
}

/** The differences that the proofs find in one snapshot, at most 20 a proof. None: all is right. */
export async function audit(database: DataSource): Promise<Difference[]> {
  return transact(
    database,
    async (db) => {
      await execute(db, 'set local statement_timeout = 0'); // A long history takes longer.
      const differences: Difference[] = [];
      for (const { name, sql } of PROOFS) {
        const wrong = await rows(
          db,
          { row: jsonOf<Record<string, unknown>>() },
          `select to_jsonb(difference) as row from (${sql}) difference limit ${ROWS_MAX}`,
        );
        differences.push(...wrong.map((found) => ({ proof: name, row: found.row })));
      }
      return differences;
    },
    { readOnly: true },
  );
}

export async function auditSize(database: DataSource): Promise<AuditSize> {
  const counts = await row(
    database,
    { orders: column.int, transfers: column.int },
    `select (select count(*) from orders) as orders,
            (select count(*) from ledger.transfer) as transfers`,
  );
  return { proofs: PROOFS.length, ...counts };
}
