import { generateAccount } from 'algosdk';
import { expect } from 'chai';

import { GENESIS_HASH } from '../../../sandbox/algorand/genesis.ts';
import { addressOf, publicKeyOf } from '../../../shared/domains/deposits/algorand/address.ts';
import { algorandSettings } from '../../../shared/domains/deposits/algorand/settings.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { mistyped } from '../../agents/mistyped.ts';

const { addr } = generateAccount();
const address = addr.toString();
const WHERE = {
  ALGO_INDEXER_URLS: 'https://a.example https://b.example',
  ALGO_DEPOSIT_ADDRESS: address,
};
const read = (env: Record<string, string>) => readEnvironment(algorandSettings, env);

describe('the settings of Algorand', () => {
  it('are of mainnet, where all indexers have to agree, unless they say otherwise', () => {
    expect(read(WHERE)).to.include({ isSandbox: false, quorum: 2, address });
    expect(read({ ...WHERE, RPC_QUORUM: '1' })).to.include({ quorum: 1 });
    expect(read({})).to.equal(undefined);
    expect(read({ ALGO_INDEXER_URLS: 'https://a.example' })).to.equal(undefined);
  });

  it('take no other network for mainnet, and not mainnet for a sandbox', () => {
    const other = GENESIS_HASH.toString('base64');
    const mainnet = read(WHERE)!.genesisHash;
    expect(() => read({ ...WHERE, ALGO_GENESIS_HASH: other })).to.throw('is not of mainnet');
    const sandbox = { ...WHERE, SANDBOX: 'algorand' };
    expect(() => read(sandbox)).to.throw('ALGO_GENESIS_HASH is not set');
    expect(() => read({ ...sandbox, ALGO_GENESIS_HASH: mainnet })).to.throw('is no sandbox');
    expect(() => read({ ...sandbox, ALGO_GENESIS_HASH: 'AAAA' })).to.throw('must be 32 bytes');
    expect(read({ ...sandbox, ALGO_GENESIS_HASH: other })).to.include({ isSandbox: true });
  });

  it('want an address in its one spelling', () => {
    expect(addressOf(addr.publicKey)).to.equal(address);
    expect(publicKeyOf(address)).to.deep.equal(Buffer.from(addr.publicKey));
    const broken = mistyped(address, 5);
    // The last letter has two bits that mean nothing.
    const spare = `${address.slice(0, -1)}${String.fromCharCode(address.charCodeAt(57) + 1)}`;
    for (const wrong of [broken, spare, address.toLowerCase(), `${address} x`]) {
      expect(() => read({ ...WHERE, ALGO_DEPOSIT_ADDRESS: wrong })).to.throw('must be an address');
    }
  });
});
