import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';

import { x402Settings } from '../../shared/domains/x402/settings.ts';
import {
  dueOf,
  missingOf,
  paymentRequired,
  paymentRequiredV1,
} from '../../shared/domains/x402/terms.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';

const PAY_TO = '0x1111111111111111111111111111111111111111';
const SET = {
  X402_FACILITATOR_URL: 'https://facilitator.example.com/',
  X402_RPC_URL: 'https://node.example.com',
  X402_PAY_TO: PAY_TO,
};
const railOf = (env: Record<string, string>) => readEnvironment(x402Settings, env);
const resource = { url: 'https://market.example.com/x402/api/v1/orders', description: 'Buy.' };

describe('the terms of a payment by x402', () => {
  it('are what the schemas of the protocol say, in both versions', () => {
    const rail = railOf(SET)!;
    const v2 = paymentRequired(rail, { amount: 1_100_000n, error: 'payment_required', resource });
    expect(PaymentRequiredV2Schema.parse(v2)).to.deep.equal(v2);
    expect(v2.accepts).to.deep.equal([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '1100000',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo: PAY_TO,
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
      },
    ]);
    const v1 = { error: 'x', ...paymentRequiredV1(rail, { amount: 1_100_000n, resource }) };
    expect(PaymentRequiredV1Schema.parse(v1)).to.deep.equal(v1);
    expect(v1.accepts[0]).to.include({ network: 'base', maxAmountRequired: '1100000' });
  });

  it('say of a sandbox that its money is not real', () => {
    const rail = railOf({ ...SET, SANDBOX: 'x402' })!;
    const { resource: shown } = paymentRequired(rail, { amount: 1n, error: 'x', resource });
    expect(shown.description).to.equal('Sandbox, no real money. Buy.');
  });

  it('ask for a tenth of a cent at least', () => {
    expect([-5n, 0n, 999n, 1_000n, 1_001n].map(dueOf)).to.deep.equal([
      1_000n,
      1_000n,
      1_000n,
      1_000n,
      1_001n,
    ]);
  });

  it('ask for what the wallet lacks, and for what it owes besides', () => {
    const holds = { credit: 5n, cash: 2n, owed: 0n };
    expect(missingOf({ amount: 10n }, holds)).to.equal(3n);
    expect(missingOf({ amount: 10n, isCashOnly: true }, holds)).to.equal(8n);
    expect(missingOf({ amount: 10n }, { ...holds, cash: 0n, owed: 4n })).to.equal(14n);
  });

  it('are none unless the facilitator, the node and the address are all set', () => {
    for (const name of Object.keys(SET)) expect(railOf({ ...SET, [name]: '' })).to.equal(undefined);
    expect(() => railOf({ ...SET, X402_PAY_TO: '0x12' })).to.throw(
      'X402_PAY_TO must be an address',
    );
  });
});
