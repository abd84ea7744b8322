import { randomUUID } from 'node:crypto';

import { creditDeposit } from '../../shared/domains/deposits/credit.ts';
import { dollarsAt, type Payment } from '../../shared/domains/deposits/deposit.ts';
import { setReversed } from '../../shared/domains/deposits/reverse.ts';
import { inTransaction } from '../../shared/performing/transaction.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { fromUsd } from '../../shared/kernel/money.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import type { TestPlatform } from '../harness.ts';

/** Work of a rail: a payment that has come in, and what becomes of it. */
export const railOf = (platform: () => TestPlatform) => {
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { context } = platform();
    const now = context.clock.now();
    const call = { caller: PLATFORM, now, key: newJobId(now), requestId: 'test' };
    return inTransaction(context, call, work);
  };
  const payment = (agentId: number, usd: number, of: Partial<Payment> = {}): Payment => ({
    rail: 'card',
    network: 'test',
    txId: randomUUID(),
    asset: 'USD',
    amount: fromUsd(usd) / 10_000n,
    usd: fromUsd(usd),
    rate: dollarsAt(new Date()),
    agentId,
    rootId: agentId,
    ...of,
  });
  return {
    inTx,
    payment,
    credit: (one: Payment) => inTx((tx) => creditDeposit(tx, one)),
    reverse: async (one: Payment, usd: number): Promise<void> => {
      const { deposit } = await inTx((tx) => creditDeposit(tx, one));
      await inTx((tx) => setReversed(tx, deposit, fromUsd(usd)));
    },
  };
};
