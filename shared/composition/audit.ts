import type { DataSource, EntityManager } from 'typeorm';

import { agentsProofs } from '../domains/agents/proofs.ts';
import { approvalsProofs } from '../domains/approvals/proofs.ts';
import { closingProofs } from '../domains/closing/proofs.ts';
import { connectionsProofs } from '../domains/connections/proofs.ts';
import { datasetsProofs } from '../domains/datasets/proofs.ts';
import { depositsProofs } from '../domains/deposits/proofs.ts';
import { emailProofs } from '../domains/email/proofs.ts';
import type { Proof } from '../domains/ledger/proof.ts';
import { ledgerProofs } from '../domains/ledger/proofs.ts';
import { messagesProofs } from '../domains/messages/proofs.ts';
import { ordersProofs } from '../domains/orders/proofs.ts';
import { policiesProofs } from '../domains/policies/proofs.ts';
import { readSnapshot, readTogether } from '../platform/connections/snapshot.ts';
import { databaseOf } from '../platform/database.ts';
import { column, jsonOf, row, rows, rowsOfEach } from '../platform/rows.ts';
import { productsProofs } from '../domains/products/proofs.ts';
import { proxiesProofs } from '../domains/proxies/proofs.ts';
import { receiptsProofs } from '../domains/receipts/proofs.ts';
import { recordsProofs } from '../domains/records/proofs.ts';
import { reviewsProofs } from '../domains/reviews/proofs.ts';
import { laborProofs } from '../domains/labor/proofs.ts';
import { tasksProofs } from '../domains/tasks/proofs.ts';
import { tokensProofs } from '../domains/tokens/proofs.ts';
import { walletProofs } from '../domains/wallet/proofs.ts';
import { webhooksProofs } from '../domains/webhooks/proofs.ts';
import { x402Proofs } from '../domains/x402/proofs.ts';
import { withdrawalsProofs } from '../domains/withdrawals/proofs.ts';

/** The proofs of every domain: first the ledger alone, then the domains that must agree with it. */
export const PROOFS: readonly Proof[] = [
  ...ledgerProofs,
  ...ordersProofs,
  ...tasksProofs,
  ...datasetsProofs,
  ...messagesProofs,
  ...laborProofs,
  ...walletProofs,
  ...recordsProofs,
  ...reviewsProofs,
  ...receiptsProofs,
  ...depositsProofs,
  ...x402Proofs,
  ...withdrawalsProofs,
  ...tokensProofs,
  ...emailProofs,
  ...proxiesProofs,
  ...productsProofs,
  ...agentsProofs,
  ...connectionsProofs,
  ...closingProofs,
  ...policiesProofs,
  ...webhooksProofs,
  ...approvalsProofs,
];

const ROWS_MAX = 20;

/** A row for which a proof does not hold. */
interface Difference {
  readonly proof: string;
  readonly row: Record<string, unknown>;
}

/** The result of an audit of one moment: the differences, and how much was checked. */
export interface Audit {
  /** At most 20 for each proof. Empty: the books are right. */
  readonly differences: readonly Difference[];
  readonly proofs: number;
  readonly orders: number;
  readonly transfers: number;
  /** The moment of its snapshot. */
  readonly at: Date;
}

/** Sessions that share the proofs. With two an audit takes two thirds of the time of one. */
const SESSIONS = 2;

/** Proofs that are left to check, by their places in the list, and differences found there. */
interface Checking {
  readonly left: [number, Proof][];
  readonly found: Difference[][];
}

/**
 * Runs all proofs in one snapshot, so that all see the same moment however long they take: no
 * later purchase is in any of them. The dispatcher does not wait for it. It has connections of its
 * own, because it may take longer than jobs may wait for one.
 */
export async function runAudit(
  url: string,
  { attemptsMax }: { attemptsMax?: number } = {},
): Promise<Audit> {
  const database = await databaseOf(url, SESSIONS).initialize();
  try {
    const { found, size } = await readTogether(database, {
      sessions: SESSIONS,
      attemptsMax,
      begin: async (db) => ({ left: [...PROOFS.entries()], found: [], size: await sizeOf(db) }),
      work: checkAll,
    });
    return { differences: found.flat(), proofs: found.length, ...size };
  } finally {
    await database.destroy();
  }
}

const sizeOf = (db: EntityManager) =>
  row(
    db,
    { at: column.time, orders: column.int, transfers: column.int },
    `select now() as at, (select count(*) from orders) as orders,
            (select count(*) from ledger.transfer) as transfers`,
  );

/** Checks one after the other, until nothing is left. After a fault nothing is. */
async function checkAll(db: EntityManager, { left, found }: Checking): Promise<void> {
  try {
    for (let next = left.shift(); next; next = left.shift()) {
      const [n, { name }] = next;
      const wrong = await rows(db, DIFFERENCE, STATEMENTS[n]!);
      found[n] = wrong.map((one) => ({ proof: name, row: one.row }));
    }
  } catch (error) {
    left.length = 0;
    throw error;
  }
}

/**
 * The differences of a small database, in one message: a hundred take longer than their work. For a
 * large one, all proofs would be repeated after a fault, and use one session.
 */
export async function audit(database: DataSource): Promise<readonly Difference[]> {
  const found = await readSnapshot(database, (db) => rowsOfEach(db, DIFFERENCE, STATEMENTS));
  return found.flatMap((wrong, n) =>
    wrong.map(({ row: one }) => ({ proof: PROOFS[n]!.name, row: one })),
  );
}

const DIFFERENCE = { row: jsonOf<Record<string, unknown>>() };

const STATEMENTS = PROOFS.map(
  ({ sql }) => `select to_jsonb(difference) as row from (${sql}) difference limit ${ROWS_MAX}`,
);
