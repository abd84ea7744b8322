import type { Tx } from '../../../kernel/tx.ts';
import { isClosed } from '../../agents/account/open_account.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { column, execute, nullable, rows, type Row } from '../../../platform/rows.ts';
import { creditDeposit } from '../credit.ts';
import { dollarsAt } from '../deposit.ts';
import { cardSettings } from '../rails.ts';
import { setReversed } from '../reverse.ts';
import type { StripePayment } from './card_gateway.ts';
import { MICROS_A_CENT } from './cents.ts';
import { forgetCards } from './forget_cards.ts';
import { endPaid } from './recharge_end.ts';
import { saveCard } from './saved_card.ts';

const CARD_PAYMENT = {
  id: column.text,
  agent_id: column.id,
  root_id: column.id,
  amount: column.micros,
  saves_card: column.boolean,
  payment_id: nullable(column.text),
  reads: column.int,
};
type CardPayment = Row<typeof CARD_PAYMENT>;

/** foreign: not our payment. outdated: another reading was recorded meanwhile. */
type Settlement = 'foreign' | 'outdated' | 'settled';

/**
 * Brings the books in line with a payment at Stripe: credits it once, and reverses what was
 * returned. `reads` is the number of readings recorded before this one began. If there are more by
 * now, this one may be older than the recorded state, and nothing is done.
 */
export async function settleCardPayment(
  tx: Tx,
  payment: StripePayment | undefined,
  reads: number,
): Promise<Settlement> {
  const own = payment && (await lockCardPayment(tx, payment));
  if (!own) return 'foreign';
  if (own.reads !== reads) return 'outdated';
  await execute(tx.db, 'update card_payment set reads = reads + 1, payment_id = $2 where id = $1', [
    own.id,
    payment.id,
  ]);
  if (payment.status !== 'paid' || payment.received === 0) return 'settled';
  const { deposit, isNew } = await creditDeposit(tx, {
    rail: 'card',
    network: cardSettings(tx.config).network,
    txId: payment.id,
    asset: 'USD',
    amount: BigInt(payment.received),
    usd: BigInt(payment.received) * MICROS_A_CENT,
    rate: dollarsAt(tx.now),
    agentId: own.agent_id,
    rootId: own.root_id,
  });
  await execute(tx.db, 'update card_payment set deposit_id = $2 where id = $1', [
    own.id,
    deposit.id,
  ]);
  await endPaid(tx, own.id);
  await setReversed(tx, deposit, BigInt(payment.takenBack) * MICROS_A_CENT);
  if (isNew && own.saves_card && payment.savedCard) {
    const { savedCard } = payment;
    // A payment page outlives its account: nobody is left who could remove the card.
    if (await isClosed(tx.db, own.root_id)) {
      await tx.enqueue(forgetCards, { customer_id: savedCard.customerId }, { cause: 'forget' });
    } else await saveCard(tx.db, own.root_id, savedCard);
  }
  return 'settled';
}

/** Locks the tree and row of a payment. Undefined: not ours, or another amount or currency. */
async function lockCardPayment(
  { db, log }: Tx,
  { id, cardPaymentId, currency, received }: StripePayment,
): Promise<CardPayment | undefined> {
  if (!cardPaymentId || !UUID.test(cardPaymentId)) return undefined;
  const sql = 'select root_id from card_payment where id = $1';
  const [found] = await rows(db, { root_id: column.id }, sql, [cardPaymentId]);
  if (!found) return undefined;
  await lockTreasuries(db, [found.root_id]);
  const [own] = await rows(
    db,
    CARD_PAYMENT,
    `select id, agent_id, root_id, amount, saves_card, payment_id, reads from card_payment
      where id = $1 for no key update`,
    [cardPaymentId],
  );
  const isOurs = own!.payment_id === null || own!.payment_id === id;
  if (isOurs && currency === 'usd' && BigInt(received) * MICROS_A_CENT <= own!.amount) return own;
  log.error({ payment_id: id }, 'a payment at Stripe is not what was asked for; see card_payment');
  return undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
