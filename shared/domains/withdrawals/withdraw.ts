import { askAtHigh } from '../approvals/ask_at_high.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, invalid, OneOf, Type, Usd } from '../../kernel/schema.ts';
import { escrow, newTransferId } from '../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../../kernel/money.ts';
import { cardReserve, withdrawableOf } from '../deposits/card/card_reserve.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { assertAffords, cashOnly, countSpend, lockBalance, pay } from '../wallet/spend.ts';
import type { LockedBalance } from '../wallet/spend.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { addressFault } from './address_rule.ts';
import { tell } from './closing.ts';
import { payWithdrawals } from './pay_withdrawals.ts';
import { needsReview } from './review_rule.ts';
import { Address, assertOn, assertSize, findWithdrawals, PRODUCT_TYPE } from './withdrawal.ts';
import { usedToday, viewOf, WithdrawalView } from './withdrawal.ts';

export const withdraw = operation({
  name: 'withdraw',
  title: 'Withdraw cash',
  summary:
    'Takes cash from the wallet and pays it out as USDC on Base, without a fee: at most the ' +
    'withdrawable amount of get_wallet. The first payment to an address waits, large sums wait ' +
    'for an operator; it can be cancelled until it is processing. Send an idempotency key so ' +
    'that a repeat withdraws nothing.',
  phrasings: `
    cash out; pay my earnings to my crypto address; send USDC to my own wallet outside; payout
    to a bank or address; take money out; take my earnings out; send 20 USDC to my wallet; cash
    out to Base; pay me out; transfer money off the platform; move profit to my crypto wallet;
    take out my money; pay out; send money to my wallet; cash out my balance; transfer earnings
    out; get my money; withdraw funds; payout in USDC; convert balance to crypto; move money to
    an external address; collect my earnings; receive my revenue; I want my money out; get paid
    to my own wallet; transfer my profit; send my balance to my address; turn my earnings into
    USDC; get my cash; I would like to be paid; pay me; empty my wallet`,
  access: 'owner',
  mode: 'job',
  queue: 'money',
  rest: 'POST /api/v1/wallet/withdrawals',
  effects: { destructive: true },
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable'],
  input: Input({
    amount: Usd('Amount in USD.', 0.000001),
    address: Address,
    network: Type.Optional(OneOf(['base'], 'Network of the address; base if absent.')),
  }),
  defaults: { network: 'base' },
  output: WithdrawalView,

  /** Only workers can verify the checksum of an address. No outside system is called. */
  async gather({ payouts }, { address }) {
    return payouts.addressOf(address);
  },

  async handle(tx, { amount: usd }, found) {
    const { base, holdHours } = tx.config.withdrawals;
    assertOn(tx.config.withdrawals);
    const amount = fromUsd(usd);
    assertSize(tx, amount);
    const address = await payableAddress(tx, found);

    const title = `USDC to ${address}`;
    const spend = { amount, productType: PRODUCT_TYPE, quantity: 1, title };
    const locked = await lockBalance(tx, spend);
    await assertDayLimit(tx, amount);
    const balance = cashOnly(locked, 'credit cannot be withdrawn');
    assertAffords(balance);
    await assertWithdrawable(tx, balance);
    const deferral = balance.deferral ?? (await askAtHigh(tx, { spend, does: 'withdraws' }));
    const { agentId, rootId } = tx.caller;
    const { id } = await row(tx.db, { id: column.id }, `select nextval('withdrawal_id') as id`);
    const escrowId = await newTransferId(tx.db);
    const day = await countSpend(tx, amount);
    const isReviewed = await needsReview(tx, amount);
    const usableFrom = await knownAddress(tx, { address, chainId: base.chainId, holdHours });
    await execute(
      tx.db,
      `insert into withdrawal (id, call_id, agent_id, root_id, chain_id, address, amount, escrow_id,
                               spent_on, not_before, review)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        id,
        tx.key,
        agentId,
        rootId,
        base.chainId,
        address,
        amount,
        escrowId,
        day,
        usableFrom,
        isReviewed ? 'pending' : null,
      ],
    );
    const to = escrow(escrowId, rootId);
    await pay(tx, { ...balance, deferral }, { id: escrowId, kind: 'withdrawal.hold', ref: id, to });
    await tell(tx.db, { id, agent_id: agentId, amount }, 'requested');
    await tx.enqueue(payWithdrawals, {}, { cause: 'pay' });
    const [made] = await findWithdrawals(tx.db, 'id = $1', [id]);
    return viewOf(made!, tx);
  },
});

/** Refuses an address where a payment would be lost: the token's contract, ours or nobody's. */
async function payableAddress(tx: Tx, address: string | undefined): Promise<string> {
  const refuse = (message: string) => invalid([{ pointer: '/address', message }]);
  if (address === undefined) {
    throw refuse(
      'must be typed exactly: the checksum in the case of its letters (EIP-55) is wrong',
    );
  }
  const fault = await addressFault(tx, address);
  if (fault) throw refuse(fault);
  return address;
}

/** Refuses more than the withdrawable cash, under the lock of the tree. */
async function assertWithdrawable(
  { db, config, caller }: Tx,
  { amount, holds }: Pick<LockedBalance, 'amount' | 'holds'>,
): Promise<void> {
  const reserve = await cardReserve(db, config, caller.rootId);
  const left = withdrawableOf(holds.cash, reserve);
  if (amount <= left) return;
  const until = reserve.until?.toISOString();
  throw new Refusal(
    'insufficient_balance',
    `$${toUsd(left)} can be withdrawn now. $${toUsd(reserve.amount)} of the wallet has to stay ` +
      `while a bank may reverse card payments: less from ${until} on. It can be spent here.`,
    {
      required: toUsd(amount),
      balance: toUsd(left),
      missing: toUsd(amount - left),
      reserved: toUsd(reserve.amount),
      until,
    },
  );
}

/** Refuses more than the daily limit, under the lock of the tree: two calls cannot both pass. */
async function assertDayLimit({ db, config, caller }: Tx, amount: Micros): Promise<void> {
  const { perDay } = config.withdrawals;
  const used = await usedToday(db, caller.rootId);
  if (used + amount <= fromUsd(perDay)) return;
  throw new Refusal(
    'daily_limit_exceeded',
    `At most $${perDay} can be withdrawn in 24 hours; $${toUsd(used)} has been.`,
    { limit: perDay, used: toUsd(used), asked: toUsd(amount) },
  );
}

/** The time from which an address may be paid. An address used once stays known. */
async function knownAddress(
  { db, caller }: Tx,
  { address, chainId, holdHours }: { address: string; chainId: number; holdHours: number },
): Promise<Date> {
  const { usable_from } = await row(
    db,
    { usable_from: column.time },
    `insert into payout_address (root_id, chain_id, address, usable_from)
     values ($1, $2, $3, now() + $4 * interval '1 hour')
     on conflict (root_id, chain_id, address) do update set address = excluded.address
     returning usable_from`,
    [caller.rootId, chainId, address, holdHours],
  );
  return usable_from;
}
