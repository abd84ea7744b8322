import { operation } from '../../../kernel/operation.ts';
import { Input, OneOf, Output, Text } from '../../../kernel/schema.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { column, oneOf, row } from '../../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import type { ChargeOutcome } from './card_gateway.ts';
import { MICROS_A_CENT } from './cents.ts';
import { readCardPayment } from './read_card_payment.ts';
import { endFailed } from './recharge_end.ts';
import { settleCardPayment } from './settle_card_payment.ts';

const NAME = 'charge_saved_card';
const SPEC = Input({ recharge_id: Text(36, 36, 'The recharge.') });
/** Stripe keeps idempotency keys for at least 24 hours. Later the charge is only looked up. */
const CHARGE_HOURS_MAX = 20;
const AGAIN_MS = 30 * 60_000;

/**
 * Charges a saved card, once: each attempt sends the same request under the same key. While the
 * outcome is unknown the recharge stays in flight, and its tree is not charged again.
 */
export const chargeSavedCard = operation({
  name: NAME,
  title: 'Charge a saved card',
  summary: 'Internal: charges the saved card of a wallet that has fallen below its threshold.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  input: SPEC,
  output: Output({
    outcome: OneOf(['foreign', 'outdated', 'settled', 'failed', 'over'], 'Outcome of the charge.'),
  }),

  async prepare(tx, { recharge_id }) {
    cardSettings(tx.config);
    return findRecharge(tx.db, recharge_id);
  },

  async gather({ card }, { recharge_id: cardPaymentId }, _call, recharge) {
    const { status, reads, amount, customer_id, method_id, since, is_late } = recharge;
    if (status !== 'charging') return { reads };
    const request = {
      cardPaymentId,
      cents: Number(amount / MICROS_A_CENT),
      customerId: customer_id,
      methodId: method_id,
    };
    const outcome: ChargeOutcome = is_late
      ? await card.findCharge({ ...request, since })
      : await card.chargeSavedCard(request);
    return { reads, outcome };
  },

  async handle(tx, { recharge_id }, { reads, outcome }) {
    if (!outcome) return { outcome: 'over' as const };
    const declined = 'declined' in outcome ? outcome.declined : undefined;
    if ('declined' in outcome || outcome.payment.status === 'failed') {
      const { root_id } = await findRecharge(tx.db, recharge_id);
      await lockTreasuries(tx.db, [root_id]);
      await endFailed(tx, recharge_id, declined ?? 'canceled');
      return { outcome: 'failed' as const };
    }
    const { payment } = outcome;
    const settled = await settleCardPayment(tx, payment, reads);
    // An unpaid or outdated payment is settled by its events later; this job does not wait.
    if (settled === 'outdated' || payment.status === 'open') {
      const input = { payment_id: payment.id };
      await tx.enqueue(readCardPayment, input, { cause: 'again', delayMs: AGAIN_MS });
    }
    return { outcome: settled };
  },

  ends: {
    /** The card may have been charged, so the job goes on until that is known. */
    async onGiveUp(tx, input) {
      await tx.enqueue(itself, input, { cause: 'again', delayMs: AGAIN_MS });
      return 'fail';
    },
  },
});

const itself = { name: NAME, queue: 'network', input: SPEC } as const;

const findRecharge = (db: Parameters<typeof row>[0], id: string) =>
  row(
    db,
    {
      root_id: column.id,
      status: oneOf<'charging' | 'paid' | 'failed'>(),
      amount: column.micros,
      customer_id: column.text,
      method_id: column.text,
      reads: column.int,
      since: column.time,
      is_late: column.boolean,
    },
    `select r.root_id, r.status, p.amount, r.customer_id, r.method_id, p.reads,
            r.created_at as since,
            r.created_at < now() - interval '${CHARGE_HOURS_MAX} hours' as is_late
       from recharge r join card_payment p using (id) where r.id = $1`,
    [id],
  );
