import { Transaction, type Wallet } from 'ethers';
import { expect } from 'chai';

import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { withdrawalSettings } from '../../shared/domains/withdrawals/settings.ts';
import { openPayouts } from '../../workers/gateways/evm/payouts.ts';
import { openSigningService, type SigningService } from '../tokens/signing_service.ts';
import { newAddress, openChain, type Chain } from './chain.ts';
import { faultOf } from './rounds.ts';

describe('what signs withdrawals', () => {
  let chain: Chain;
  let signer: SigningService;
  let change = (transaction: Transaction) => transaction;
  before(async () => {
    chain = await openChain();
    signer = await openSigningService(chain.wallet.address, async ({ transactions }) => ({
      signed: await Promise.all(transactions!.map((one) => signedBy(chain.wallet, one))),
    }));
  });
  after(async () => {
    await signer.close();
    await chain.evm.stop();
  });

  const signedBy = (wallet: Wallet, unsigned: string) =>
    wallet.signTransaction(change(Transaction.from(unsigned)));
  function opened(url = signer.url) {
    const { BASE_KEY_FILE: _file, ...env } = chain.env;
    return openPayouts(readEnvironment(withdrawalSettings, { ...env, BASE_SIGNER_URL: url }));
  }
  const payment = (nonce: number) => ({
    to: newAddress(),
    amount: 1_000_000n,
    nonce,
    fees: { max: 3_000_000_000n, priority: 1_000_000_000n },
  });

  it('may be a service, so that no process of ours has the key', async () => {
    const payouts = opened();
    const { used } = await payouts.wallet();
    const { bytes, hash } = await payouts.sign(payment(used));
    expect(await payouts.send(bytes)).to.deep.equal([]);
    expect(Transaction.from(bytes)).to.include({ from: chain.wallet.address, hash });
  });

  it('is not believed when it signs another transaction, or by another key', async () => {
    const other = newAddress();
    change = (transaction) => Transaction.from({ ...transaction.toJSON(), sig: null, to: other });
    expect(await faultOf(opened().sign(payment(7)))).to.contain('signed another transaction');
    change = (transaction) => transaction;
    const foreign = await openSigningService(newAddress(), async ({ transactions }) => ({
      signed: await Promise.all(transactions!.map((one) => signedBy(chain.wallet, one))),
    }));
    try {
      const fault = await faultOf(opened(foreign.url).sign(payment(7)));
      expect(fault).to.contain('signed another transaction');
    } finally {
      await foreign.close();
    }
  });

  it('is named when it does not answer', async () => {
    const fault = await faultOf(opened('http://127.0.0.1:9').sign(payment(7)));
    expect(fault).to.equal('the signer does not answer');
  });
});
