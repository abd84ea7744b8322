import { cardReserve, withdrawableOf } from '../deposits/card/card_reserve.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Time, Type, Usd } from '../../kernel/schema.ts';
import { balanceOf, spendableOf } from '../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../../kernel/money.ts';
import { column, rows } from '../../platform/rows.ts';
import { addressFault } from './address_rule.ts';
import { needsReview } from './review_rule.ts';
import { Address, assertOn, assertSize, networkOf, NetworkName, usedToday } from './withdrawal.ts';

const HOLDS = ['new_address', 'review'] as const;
const OBSTACLES = ['validation_error', 'insufficient_balance', 'daily_limit_exceeded'] as const;

export const quoteWithdrawal = operation({
  name: 'quote_withdrawal',
  title: 'Quote a withdrawal',
  summary:
    'Shows for a withdrawal to an address its cost, the amount that arrives, the waits ' +
    'and whether it can be made now. Moves nothing. Free.',
  phrasings: `
    what does a payout cost; fee for cashing out; how much would I get if I withdraw; what
    will I get after cashing out; is there a fee for payouts; how long does a withdrawal take;
    can I withdraw to this address; cost of withdrawing; what arrives after a withdrawal;
    payout fee; how long until a payout; preview a payout; check my payout; check a withdrawal
    before doing it; minimum payout; what will reach me if I take out 20; what do you keep
    when I cash out; how long until I get my money; is a payout possible now; cost to take
    money out`,
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/wallet/withdrawals/quote',
  refusals: ['rail_unavailable', 'tx_limit_exceeded'],
  input: Input({ amount: Usd('Amount in USD.', 0.000001), address: Address }),
  output: Output('WithdrawalQuote', {
    amount: Amount('Amount taken from the wallet.'),
    fee: Amount('Fee: none is taken.'),
    arrives: Amount('Amount that arrives.'),
    asset: Type.Literal('USDC'),
    network: NetworkName,
    address: Type.String({ description: 'The address as given. Its checksum is not verified.' }),
    is_known: Type.Boolean({ description: 'Whether you have withdrawn to it before.' }),
    earliest_at: Nullable(Time('Earliest time of payment; null: after the review of an operator.')),
    holds: Type.Array(
      Output({
        kind: OneOf(HOLDS, 'Kind of wait.'),
        until: Nullable(Time('End of the wait; null: until it is decided.')),
      }),
      { maxItems: HOLDS.length, description: 'Waits before the payment.' },
    ),
    obstacles: Type.Array(OneOf(OBSTACLES, 'Code by which withdraw would refuse it now.'), {
      maxItems: OBSTACLES.length,
      description: 'Known obstacles. Policies apply too.',
    }),
    available: Amount('Cash that can leave now.'),
    left_today: Amount('Limit left for 24 hours.'),
  }),

  async handle(tx, { amount: usd, address }) {
    const { base, perDay, holdHours } = tx.config.withdrawals;
    assertOn(tx.config.withdrawals);
    const amount = fromUsd(usd);
    assertSize(tx, amount);
    const { rootId } = tx.caller;
    const [known] = await rows(
      tx.db,
      { usable_from: column.time },
      `select usable_from from payout_address
        where root_id = $1 and chain_id = $2 and lower(address) = lower($3)`,
      [rootId, base.chainId, address],
    );
    const usableFrom = known?.usable_from ?? new Date(tx.now.getTime() + holdHours * 3_600_000);
    const isReviewed = await needsReview(tx, amount);
    const left = leftOf(fromUsd(perDay), await usedToday(tx.db, rootId));
    const { cash } = spendableOf(await balanceOf(tx.db, rootId));
    const available = withdrawableOf(cash, await cardReserve(tx.db, tx.config, rootId));
    const waits = usableFrom > tx.now;
    return {
      amount: toUsd(amount),
      fee: 0,
      arrives: toUsd(amount),
      asset: 'USDC' as const,
      network: networkOf(tx.config.withdrawals),
      address,
      is_known: known !== undefined,
      earliest_at: isReviewed ? null : (waits ? usableFrom : tx.now).toISOString(),
      holds: [
        ...(waits ? [{ kind: 'new_address' as const, until: usableFrom.toISOString() }] : []),
        ...(isReviewed ? [{ kind: 'review' as const, until: null }] : []),
      ],
      obstacles: [
        ...((await addressFault(tx, address)) ? (['validation_error'] as const) : []),
        ...(amount > available ? (['insufficient_balance'] as const) : []),
        ...(amount > left ? (['daily_limit_exceeded'] as const) : []),
      ],
      available: toUsd(available),
      left_today: toUsd(left),
    };
  },
});

const leftOf = (limit: Micros, used: Micros): Micros => (used > limit ? 0n : limit - used);
