import type { EntityManager } from 'typeorm';

import { sweepTimer } from '../../../jobs/timers/timer.ts';
import { column, execute, rows } from '../../../platform/rows.ts';
import { lockTreasuries, type MoneyTx } from '../../ledger/ledger.ts';
import { METERED } from '../../wallet/charge.ts';
import { refundCharge } from '../../wallet/refund_charge.ts';
import { withdrawResults } from '../files/file_results.ts';
import { reaches } from './doubts.ts';

/** A refusal that was charged, and that a doubt reaches. */
interface DoubtedAnswer {
  readonly id: number;
  readonly charge_id: number;
}

/** Cause of the refund of an answer: it is given back once. */
const causeOf = (replyId: number) => `reply:${replyId}`;

/** SQL: within a day the charge is given back; a doubt is looked at for two. */
const DOUBTED = `
  refused and not refunded and charge_id is not null and id in (
    select r.id from mail_doubt d
      join mail_reply r on ${reaches('r.machine', 'r.root_id', 'r.asked_at')}
     where d.began_at > now() - interval '2 days'
       and r.asked_at > d.began_at - interval '1 day' and not r.refunded)`;

/** Gives back what was charged for refusals of mail hosts that are not believed any more. */
export const refundDoubtedAnswers = sweepTimer({
  name: 'refund_doubted_answers',
  title: 'Give back doubted answers',
  summary:
    'Internal: gives back what was charged for refusals of mailboxes by hosts that refuse all.',
  everyMs: 60_000,
  done: ['refunded', 'Answers given back.'],
  rowsMax: 200,
  due: { table: 'mail_reply', where: DOUBTED, order: 'id' },
  lock,
  work: refund,
});

/** Locks the trees first, as charges do. */
async function lock(db: EntityManager, ids: readonly number[]): Promise<DoubtedAnswer[]> {
  const trees = await rows(
    db,
    { root_id: column.id },
    'select distinct root_id from mail_reply where id = any ($1)',
    [ids],
  );
  await lockTreasuries(
    db,
    trees.map(({ root_id }) => root_id),
  );
  return rows(
    db,
    { id: column.id, charge_id: column.id },
    'select id, charge_id from mail_reply where id = any ($1) and not refunded order by id for update',
    [ids],
  );
}

async function refund(tx: MoneyTx, answers: readonly DoubtedAnswer[]): Promise<void> {
  const replies = answers.map(({ id }) => id);
  await withdrawResults(tx.db, replies);
  for (const { id, charge_id: chargeId } of answers) {
    const amount = METERED.email.unitPrice;
    await refundCharge(tx, { chargeId, cause: causeOf(id), amount });
    await execute(tx.db, 'update mail_reply set refunded = true where id = $1', [id]);
  }
}
