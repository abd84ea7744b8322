import { expect } from 'chai';

import type { DueWithdrawal } from '../../shared/domains/withdrawals/due_withdrawals.ts';
import { findOut, isUsedUp, type OpenPayment } from '../../shared/domains/withdrawals/payments.ts';
import type {
  Fees,
  Outcome,
  PayoutGateway,
} from '../../shared/domains/withdrawals/payout_gateway.ts';

const GWEI = 10n ** 9n;
const FEE_MAX = 100n * GWEI;
const WALLET = '0xwallet';
const TO = `0x${'1'.repeat(40)}`;
const MINUTES = 60_000;

describe('a round of payments', () => {
  const signed: Fees[] = [];

  /** A chain that knows no transaction, and asks these fees. */
  function chainOf(fees: Fees, usdc = 10n ** 12n, status = 'unknown'): PayoutGateway {
    const state = { address: WALLET, chainId: 8453, used: 7, block: 100, finalBlock: 90 };
    return {
      addressOf: (text) => text,
      wallet: async () => ({ ...state, usdc, native: 10n ** 20n, fees, lowerFee: 0n }),
      refusalOf: async () => undefined,
      sign: async (payment) => {
        signed.push(payment.fees);
        return { hash: '0xnew', bytes: '0xnew' };
      },
      send: async () => [],
      fateOf: async () => ({ status, hash: '0xold', block: 95 }) as Outcome,
      paymentsIn: async () => [],
    };
  }

  const open = (over: object = {}, transaction: object = {}): OpenPayment => {
    const sent = { attempt: 1, hash: '0xold', bytes: '0xold', age_ms: 4 * MINUTES };
    const offers = { max_fee: String(20n * GWEI), priority_fee: String(2n * GWEI) };
    return {
      id: 1,
      root_id: 1,
      address: TO,
      amount: 1_000_000n,
      nonce: 7,
      wallet: WALLET,
      taken_at: null,
      transactions: [{ ...sent, ...offers, ...transaction }],
      ...over,
    };
  };
  const round = async (fees: Fees, payments: readonly OpenPayment[], due: DueWithdrawal[] = []) =>
    (await findOut(chainOf(fees), { open: payments, due }, FEE_MAX))!;

  it('replaces a transaction by one whose fees are an eighth higher, as nodes want it', async () => {
    signed.length = 0;
    await round({ max: GWEI, priority: GWEI }, [open()]);
    const [{ max, priority }] = signed as [Fees];
    expect(max >= (20n * GWEI * 9n) / 8n && priority >= (2n * GWEI * 9n) / 8n).to.equal(true);
  });

  it('offers no more than the highest fee, and sends again what it has', async () => {
    signed.length = 0;
    const dear = { max: FEE_MAX + 1n, priority: GWEI };
    const { findings } = await round(dear, [open()]);
    expect([signed, findings[0]!.refused]).to.deep.equal([[], []]);
    await round({ max: FEE_MAX, priority: GWEI }, [open()]);
    expect(signed).to.have.length(1);
  });

  it('gives the last transaction its time, like each before it', () => {
    const last = (age_ms: number) => isUsedUp(open({}, { attempt: 6, age_ms }));
    expect([last(2 * MINUTES), last(4 * MINUTES)]).to.deep.equal([false, true]);
  });

  it('has forty payments, those that are open included', async () => {
    const others = Array.from({ length: 39 }, () => open({ wallet: '0xother' }));
    const due = [1, 2, 3].map((id) => ({ id, root_id: id, address: TO, amount: 1n }));
    const { trials } = await round({ max: GWEI, priority: GWEI }, others, due);
    expect(trials).to.have.length(1);
  });

  it('spends what is not on the chain yet once, and what is there no more', async () => {
    const due = [{ id: 2, root_id: 2, address: TO, amount: 2_000_000n }];
    for (const [status, tried] of [
      ['unknown', 0],
      ['mined', 1],
    ] as const) {
      const chain = chainOf({ max: GWEI, priority: GWEI }, 2_500_000n, status);
      const found = await findOut(chain, { open: [open()], due }, FEE_MAX);
      expect(found!.trials, status).to.have.length(tried);
    }
  });
});
