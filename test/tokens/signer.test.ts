import algosdk, { type Account, type Transaction } from 'algosdk';
import { expect } from 'chai';

import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { tokenSettings } from '../../shared/domains/tokens/settings.ts';
import { openSigner as openGuardedSigner } from '../../workers/gateways/algorand/signer.ts';
import { openTokens } from '../../workers/gateways/algorand/tokens.ts';
import { faultOf } from '../withdrawals/rounds.ts';
import { openIssuerRig, type IssuerRig } from './issuer.ts';
import { openSigningService } from './signing_service.ts';

const COIN = {
  kind: 'asa',
  name: 'Signed coin',
  unitName: 'SGN',
  totalSupply: 100n,
  decimals: 0,
} as const;

/** A service that has the key. `change`: it signs something else than it was asked to. */
async function openSigner({ addr, sk }: Account) {
  let change = (transaction: Transaction) => transaction;
  const service = await openSigningService(String(addr), ({ transactions }) => ({
    signed: transactions!.map((base64) => {
      const asked = algosdk.decodeUnsignedTransaction(Buffer.from(base64, 'base64'));
      return Buffer.from(change(asked).signTxn(sk)).toString('base64');
    }),
  }));
  return { ...service, changing: (other: typeof change) => void (change = other) };
}

describe('what signs tokens', () => {
  let issuer: IssuerRig;
  let signer: Awaited<ReturnType<typeof openSigner>>;
  before(async () => {
    issuer = await openIssuerRig();
    signer = await openSigner(issuer.wallet);
  });
  after(async () => {
    await signer.close();
    await issuer.rig.close();
  });

  const opened = (changes: Record<string, string | undefined> = {}) => {
    const { ALGO_KEY_FILE: _file, ...env } = issuer.env;
    const settings = { ...env, ALGO_SIGNER_URL: signer.url, ...changes };
    return openTokens(readEnvironment(tokenSettings, settings));
  };

  it('may be a service, so that no process of ours has the key', async () => {
    const tokens = opened();
    const { address } = await tokens.issuer();
    expect(address).to.equal(issuer.wallet.addr.toString());
    const { txId, bytes } = await tokens.sign(COIN, 'one');
    expect(await tokens.send(bytes)).to.equal(undefined);
    expect(await tokens.fateOf([txId], 'one')).to.include({ status: 'confirmed', txId });
  });

  it('is not believed when it signs another transaction', async () => {
    const other = await issuer.rig.payment(issuer.wallet, issuer.rig.bank, { amount: 1n });
    signer.changing(() => other);
    expect(await faultOf(opened().sign(COIN, 'two'))).to.contain('signed another transaction');
    signer.changing((transaction) => transaction);
  });

  it('signs nothing that hands the wallet to another key, or empties it', async () => {
    const { rig, wallet } = issuer;
    const { bank } = rig;
    const harmful = [
      await rig.payment(wallet, bank, { amount: 0, rekeyTo: bank }),
      await rig.payment(wallet, bank, { amount: 0, close: bank }),
      await rig.transfer(wallet, bank, { asset: 1n, close: bank }),
    ];
    const harmless = await rig.payment(wallet, bank, { amount: 0 });
    const { ALGO_KEY_FILE: keyFile } = issuer.env;
    for (const settings of [{ keyFile }, { signerUrl: signer.url }]) {
      const wary = openGuardedSigner(settings as Parameters<typeof openGuardedSigner>[0]);
      for (const one of harmful) {
        expect(await faultOf(wary.sign([harmless, one]))).to.contain('give the wallet away');
      }
      expect(await wary.sign([harmless])).to.have.length(1);
    }
  });

  it('is named, as the node is, when it does not answer', async () => {
    const nowhere = 'http://127.0.0.1:9';
    const unsigned = opened({ ALGO_SIGNER_URL: nowhere });
    expect(await faultOf(unsigned.sign(COIN, 'three'))).to.equal('the signer does not answer');
    expect(await faultOf(opened({ ALGO_NODE_URL: nowhere }).issuer())).to.equal(
      'the node or an indexer of Algorand does not answer',
    );
  });
});
