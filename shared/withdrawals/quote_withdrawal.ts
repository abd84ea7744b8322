import { cardReserve, withdrawableOf } from '../deposits/card/card_reserve.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Time, Type, Usd } from '../kernel/schema.ts';
import { balanceOf, spendableOf } from '../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../ledger/money.ts';
import { column, rows } from '../platform/rows.ts';
import { addressFault } from './address_rule.ts';
import { needsReview } from './review_rule.ts';
import { Address, assertOn, assertSize, networkOf, NetworkName, usedToday } from './withdrawal.ts';

const HOLDS = ['new_address', 'review'] as const;
const OBSTACLES = ['validation_error', 'insufficient_balance', 'daily_limit_exceeded'] as const;

export const quoteWithdrawal = operation({
  name: 'quote_withdrawal',
  title: 'Quote a withdrawal',
  summary:
    'Says what a withdrawal of this amount to this address would cost, what would arrive, what it ' +
    'would wait for, and whether it could be made now. Moves nothing. Free.',
  access: 'owner',
  mode: 'read',
  domain: 'withdrawals',
  rest: 'GET /api/v1/wallet/withdrawals/quote',
  refusals: ['rail_unavailable', 'tx_limit_exceeded'],
  input: Input({ amount: Usd('How much.', 0.000001), address: Address }),
  output: Output('WithdrawalQuote', {
    amount: Amount('What would leave the wallet.'),
    fee: Amount('Of it: none is taken.'),
    arrives: Amount('What would arrive.'),
    asset: Type.Literal('USDC'),
    network: NetworkName,
    address: Type.String({ description: 'As it was given. Its checksum is not looked at here.' }),
    is_known: Type.Boolean({ description: 'Whether you have withdrawn to it before.' }),
    earliest_at: Nullable(
      Time('When it would be paid at the earliest; null: when an operator has looked at it.'),
    ),
    holds: Type.Array(
      Output({
        kind: OneOf(HOLDS, 'What it would wait for.'),
        until: Nullable(Time('For so long; null: until it is decided.')),
      }),
      { maxItems: HOLDS.length, description: 'Empty: nothing.' },
    ),
    obstacles: Type.Array(OneOf(OBSTACLES, 'With what withdraw would refuse it now.'), {
      maxItems: OBSTACLES.length,
      description: 'Empty: none is known. Policies apply besides.',
    }),
    available: Amount('The cash that can leave now.'),
    left_today: Amount('What may be withdrawn in these 24 hours yet.'),
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
