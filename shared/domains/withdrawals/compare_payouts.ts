import { timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, execute, rows } from '../../platform/rows.ts';
import { costOf, type ChainPayment, type PayoutGateway } from './payout_gateway.ts';
import { isOn } from './withdrawal.ts';

/** Maximum blocks that providers answer about at a time. */
const BLOCKS_MAX = 2_000;
/** Maximum pages of one run, so that it ends in time even if each takes a provider's timeout. */
const PAGES_MAX = 5;

/**
 * Reads the payments of the hot wallet from the chain as soon as blocks are final. The audit
 * compares them with the withdrawals. Records the balance of the wallet for operators.
 */
export const comparePayouts = timer({
  name: 'compare_payouts',
  title: 'Compare payouts with the chain',
  summary: 'Internal: reads the payments of the wallet that pays withdrawals from the chain.',
  everyMs: 60_000,
  gatherMs: 60_000,
  output: Output({ payments: Type.Integer({ description: 'Payments read.' }) }),

  async prepare({ db, config: { withdrawals } }) {
    if (!isOn(withdrawals)) return [];
    return rows(
      db,
      { id: column.id, address: column.text, compared_to: column.int },
      'select id, address, compared_to from hot_wallet where chain_id = $1',
      [withdrawals.base.chainId],
    );
  },

  async gather({ payouts }, _input, _call, wallets) {
    if (wallets.length === 0) return undefined;
    try {
      return await compare(payouts, wallets);
    } catch (error) {
      return { fault: (error as Error).message };
    }
  },

  async handle({ db, config, log }, _input, found) {
    if (!found) return { payments: 0 };
    if ('fault' in found) {
      await execute(db, UNANSWERED_SQL, [config.withdrawals.base.chainId, found.fault]);
      log.warn({ fault: found.fault }, 'the wallet that pays withdrawals cannot be looked at');
      return { payments: 0 };
    }
    const { wallet, state, payments, to } = found;
    await execute(
      db,
      `insert into chain_payment (wallet_id, tx_hash, log_index, address, amount, block_number)
       select $1, * from unnest($2::text[], $3::int[], $4::text[], $5::bigint[], $6::bigint[])
       on conflict do nothing`,
      [
        wallet.id,
        payments.map(({ hash }) => hash),
        payments.map(({ logIndex }) => logIndex),
        payments.map(({ to: address }) => address),
        payments.map(({ amount }) => amount.toString()),
        payments.map(({ block }) => block),
      ],
    );
    await execute(
      db,
      `update hot_wallet
          set compared_to = greatest(compared_to, $2), usdc = $3, gas_payments = $4,
              looked_at = now(), unanswered = null, unanswered_at = null
        where id = $1`,
      [wallet.id, to, state.usdc, state.native / costOf(state)],
    );
    return { payments: payments.length };
  },
});

interface Compared {
  readonly id: number;
  readonly address: string;
  readonly compared_to: number;
}

/** The newest wallet has the fault until it can be looked at. */
const UNANSWERED_SQL = `
  update hot_wallet set unanswered = $2, unanswered_at = coalesce(unanswered_at, now())
   where id = (select max(id) from hot_wallet where chain_id = $1)`;

async function compare(payouts: PayoutGateway, wallets: readonly Compared[]) {
  const state = await payouts.wallet();
  const { address, finalBlock } = state;
  const wallet = wallets.find((known) => known.address === address);
  if (!wallet) return undefined;
  const payments: ChainPayment[] = [];
  let to = wallet.compared_to;
  for (let page = 0; page < PAGES_MAX && to < finalBlock; page += 1) {
    const from = to + 1;
    to = Math.min(from + BLOCKS_MAX - 1, finalBlock);
    payments.push(...(await payouts.paymentsIn(from, to)));
  }
  return { wallet, state, payments, to };
}
