import type { DataSource } from 'typeorm';

import { agentsProofs } from '../agents/proofs.ts';
import { approvalsProofs } from '../approvals/proofs.ts';
import { connectionsProofs } from '../connections/proofs.ts';
import { datasetsProofs } from '../datasets/proofs.ts';
import { depositsProofs } from '../deposits/proofs.ts';
import { emailProofs } from '../email/proofs.ts';
import type { Proof } from '../ledger/proof.ts';
import { ledgerProofs } from '../ledger/proofs.ts';
import { messagesProofs } from '../messages/proofs.ts';
import { ordersProofs } from '../orders/proofs.ts';
import { policiesProofs } from '../policies/proofs.ts';
import { readSnapshot } from '../platform/database.ts';
import { column, jsonOf, row, rows } from '../platform/rows.ts';
import { productsProofs } from '../products/proofs.ts';
import { proxiesProofs } from '../proxies/proofs.ts';
import { laborProofs } from '../labor/proofs.ts';
import { tasksProofs } from '../tasks/proofs.ts';
import { tokensProofs } from '../tokens/proofs.ts';
import { walletProofs } from '../wallet/proofs.ts';
import { webhooksProofs } from '../webhooks/proofs.ts';
import { x402Proofs } from '../x402/proofs.ts';
import { withdrawalsProofs } from '../withdrawals/proofs.ts';

/** The proofs of every domain: the ledger by itself first, then what must agree with it. */
export const PROOFS: readonly Proof[] = [
  ...ledgerProofs,
  ...ordersProofs,
  ...tasksProofs,
  ...datasetsProofs,
  ...messagesProofs,
  ...laborProofs,
  ...walletProofs,
  ...depositsProofs,
  ...x402Proofs,
  ...withdrawalsProofs,
  ...tokensProofs,
  ...emailProofs,
  ...proxiesProofs,
  ...productsProofs,
  ...agentsProofs,
  ...connectionsProofs,
  ...policiesProofs,
  ...webhooksProofs,
  ...approvalsProofs,
];

const ROWS_MAX = 20;

/** A row for which a proof does not hold. */
export interface Difference {
  readonly proof: string;
  readonly row: Record<string, unknown>;
}

/** What an audit found, and how much it looked at: all of it as it was at one moment. */
export interface Audit {
  /** At most 20 a proof. None: all is right. */
  readonly differences: readonly Difference[];
  readonly proofs: number;
  readonly orders: number;
  readonly transfers: number;
  /** The moment of its snapshot. */
  readonly at: Date;
}

/**
 * Runs all proofs in one snapshot, so that they speak of one truth however long they take: what is
 * bought meanwhile is in none of them. The dispatcher does not wait for it.
 */
export async function runAudit(database: DataSource): Promise<Audit> {
  return readSnapshot(database, async (db) => {
    const size = await row(
      db,
      { at: column.time, orders: column.int, transfers: column.int },
      `select now() as at, (select count(*) from orders) as orders,
              (select count(*) from ledger.transfer) as transfers`,
    );
    const differences: Difference[] = [];
    for (const { name, sql } of PROOFS) {
      const wrong = await rows(
        db,
        { row: jsonOf<Record<string, unknown>>() },
        `select to_jsonb(difference) as row from (${sql}) difference limit ${ROWS_MAX}`,
      );
      differences.push(...wrong.map((found) => ({ proof: name, row: found.row })));
    }
    return { differences, proofs: PROOFS.length, ...size };
  });
}

/** Only the differences that an audit finds. */
export async function audit(database: DataSource): Promise<readonly Difference[]> {
  return (await runAudit(database)).differences;
}
