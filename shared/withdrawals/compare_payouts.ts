import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, execute, rows } from '../platform/rows.ts';
import { GAS_LIMIT, type ChainPayment } from './payout_gateway.ts';
import { isOn } from './withdrawal.ts';

/** Providers answer about so many blocks at a time. */
const BLOCKS_MAX = 2_000;
/** In one run, which ends in its time even if each page takes as long as a provider may. */
const PAGES_MAX = 5;

/**
 * Reads what left the hot wallet from the chain, block by block, as soon as blocks are final. The
 * audit compares that with what was paid. What is left in it is noted for operators.
 */
export const comparePayouts = operation({
  name: 'compare_payouts',
  title: 'Compare payouts with the chain',
  summary: 'Internal: reads from the chain what left the wallet that pays withdrawals.',
  access: 'operator',
  mode: 'job',
  domain: 'withdrawals',
  queue: 'timers',
  everyMs: 60_000,
  gatherMs: 60_000,
  input: Input({}),
  output: Output({ payments: Type.Integer({ description: 'How many were read.' }) }),

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
  },

  async handle({ db }, _input, found) {
    if (!found) return { payments: 0 };
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
              looked_at = now()
        where id = $1`,
      [wallet.id, to, state.usdc, state.native / (GAS_LIMIT * state.fees.max)],
    );
    return { payments: payments.length };
  },
});
