import { askAtHigh } from '../approvals/ask_at_high.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Input, invalid, OneOf, Type, Usd } from '../kernel/schema.ts';
import { escrow, newTransferId } from '../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../ledger/money.ts';
import { cardReserve, withdrawableOf } from '../deposits/card/card_reserve.ts';
import { column, execute, row } from '../platform/rows.ts';
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
    'Takes cash from the wallet and pays it out as USDC on Base, without a fee: what get_wallet ' +
    'calls withdrawable, at most. The first payment to an address waits, large sums for an ' +
    'operator; until it is processing it can be cancelled. Send an idempotency key to ' +
    'withdraw once however often you call.',
  access: 'owner',
  mode: 'job',
  domain: 'withdrawals',
  queue: 'money',
  rest: 'POST /api/v1/wallet/withdrawals',
  destructive: true,
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable'],
  input: Input({
    amount: Usd('How much.', 0.000001),
    address: Address,
    network: Type.Optional(OneOf(['base'], 'Where the address is; base if absent.')),
  }),
  output: WithdrawalView,

  /** A worker knows the checksum of addresses. Nothing is asked outside. */
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

/** What is sent to the token's contract, to us or to nobody would be lost. */
async function payableAddress(tx: Tx, address: string | undefined): Promise<string> {
  const refuse = (message: string) => invalid([{ pointer: '/address', message }]);
  if (address === undefined) {
    throw refuse('has a wrong checksum: the case of its letters (EIP-55) says that it is mistyped');
  }
  const fault = await addressFault(tx, address);
  if (fault) throw refuse(fault);
  return address;
}

/** Under the lock of the tree. */
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
    `$${toUsd(left)} can be withdrawn now. Of the wallet $${toUsd(reserve.amount)} stays as long ` +
      `as a bank may take back what was paid by card: less from ${until} on. It can be spent here.`,
    {
      required: toUsd(amount),
      balance: toUsd(left),
      missing: toUsd(amount - left),
      reserved: toUsd(reserve.amount),
      until,
    },
  );
}

/** Under the lock of the tree, so that two calls at once do not both pass. */
async function assertDayLimit({ db, config, caller }: Tx, amount: Micros): Promise<void> {
  const { perDay } = config.withdrawals;
  const used = await usedToday(db, caller.rootId);
  if (used + amount <= fromUsd(perDay)) return;
  throw new Refusal(
    'daily_limit_exceeded',
    `At most $${perDay} can be withdrawn in 24 hours, and $${toUsd(used)} was.`,
    { limit: perDay, used: toUsd(used), asked: toUsd(amount) },
  );
}

/** From when on it may be paid to: an address that was named once stays known. */
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
