import { createPrivateKey, sign } from 'node:crypto';

import { expect } from 'chai';

import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { tokenSettings } from '../../shared/domains/tokens/settings.ts';
import { openCollections } from '../../workers/gateways/solana/collections.ts';
import { faultOf } from '../withdrawals/rounds.ts';
import { GROUP, openCollectionRig, type CollectionRig } from './collection_rig.ts';
import { openSigningService, type SigningService } from './signing_service.ts';

/** DER of a private key of Ed25519, before its seed (RFC 8410). */
const HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

describe('what signs collections', () => {
  let collections: CollectionRig;
  let signer: SigningService;
  let change = (message: Buffer) => message;
  before(async () => {
    collections = await openCollectionRig();
    const { publicKey, secretKey } = collections.wallet;
    const der = Buffer.concat([HEAD, secretKey.subarray(0, 32)]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    signer = await openSigningService(publicKey.toBase58(), ({ messages }) => ({
      signatures: messages!.map((message) =>
        sign(null, change(Buffer.from(message, 'base64')), key).toString('base64'),
      ),
    }));
  });
  after(async () => {
    await signer.close();
    await collections.rig.close();
  });

  function opened(url = signer.url) {
    const { SOLANA_KEY_FILE: _file, ...env } = collections.env;
    const settings = { ...env, SOLANA_SIGNER_URL: url };
    return openCollections(readEnvironment(tokenSettings, settings));
  }
  const order = { kind: 'collection', ...GROUP } as const;

  it('may be a service, so that no process of ours has the key', async () => {
    const gateway = opened();
    const { address } = await gateway.issuer();
    expect(address).to.equal(collections.wallet.publicKey.toBase58());
    const { bytes } = await gateway.sign(order, 'one');
    expect(await gateway.send(bytes)).to.equal(undefined);
  });

  it('is not believed when it signs something else', async () => {
    change = (message) => Buffer.concat([message, Buffer.from('more')]);
    expect(await faultOf(opened().sign(order, 'two'))).to.contain('signed another transaction');
    change = (message) => message;
  });

  it('is named when it does not answer', async () => {
    const fault = await faultOf(opened('http://127.0.0.1:9').issuer());
    expect(fault).to.equal('the signer does not answer');
  });
});
