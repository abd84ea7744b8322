import { expect } from 'chai';

import { shortageOf } from '../../shared/domains/withdrawals/hot_wallet.ts';
import { withdrawalSettings } from '../../shared/domains/withdrawals/settings.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { openPayouts } from '../../workers/gateways/evm/payouts.ts';
import { openChain, type Chain } from './chain.ts';

const ORACLE = '0x420000000000000000000000000000000000000F';
const GAS_LIMIT = 120_000n;
const FEE = 7_000_000_000_000n;

describe('the fee of Base for a place on Ethereum', () => {
  let chain: Chain;
  before(async () => {
    chain = await openChain();
  });
  after(() => chain.evm.close());

  const wallet = () => openPayouts(readEnvironment(withdrawalSettings, chain.env)).wallet();
  /** A contract that answers each call with this number. */
  async function answerWith(fee: bigint) {
    const word = fee.toString(16).padStart(64, '0');
    const code = `0x7f${word}60005260206000f3`;
    const body = { jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [ORACLE, code] };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chain.evm.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(await answer.json()).not.to.have.property('error');
  }

  it('is nothing on a chain that has none below', async () => {
    expect((await wallet()).lowerFee).to.equal(0n);
  });

  it('is kept for each payment, twice as high as now, beside the gas', async () => {
    await answerWith(FEE);
    const state = await wallet();
    expect(state.lowerFee).to.equal(2n * FEE);
    const cost = GAS_LIMIT * state.fees.max + 2n * FEE;
    const needed = { usdc: 0n, payments: 3, feeMax: state.fees.max };
    expect(shortageOf({ ...state, native: 3n * cost }, needed)).to.equal(undefined);
    expect(shortageOf({ ...state, native: 3n * cost - 1n }, needed)).to.equal(
      `It has ${3n * cost - 1n} wei for gas, and needs ${3n * cost}.`,
    );
  });
});
