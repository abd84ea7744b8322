import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { newAddress } from '../deposits/evm/payer.ts';
import { openBasePlatform, type BasePlatform } from '../deposits/evm/platform.ts';
import { withdraw } from './chain.ts';

const XPUB =
  'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4';
const USDC_ON_ETHEREUM = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

describe('an address of the marketplace', () => {
  const [payTo, own] = [newAddress(), newAddress()];
  let base: BasePlatform;

  before(async () => {
    base = await openBasePlatform({
      EVM_DEPOSIT_XPUB: XPUB,
      EVM_OWN_ADDRESSES: own,
      X402_PAY_TO: payTo,
      X402_FACILITATOR_URL: 'http://127.0.0.1:1',
      X402_RPC_URL: 'http://127.0.0.1:1',
      SANDBOX: 'base,x402',
    });
  });
  after(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
    await base.close();
  });

  const ownOf = async ({ key }: { key: string }): Promise<string> => {
    const { body } = await base.platform.request('GET /api/v1/evm/info', { key });
    return body.networks[0].address;
  };

  it('is never paid out to, however it is spelled', async () => {
    const { platform } = base;
    const [agent, other] = [await platform.agent({ usd: 20 }), await platform.agent()];
    const ours = {
      'an address of its own': await ownOf(agent),
      'an address of another agent': await ownOf(other),
      'the address of deposits': base.recipient,
      'the router of deposits': base.router,
      'an address that the settings name': own,
      'the address of paid calls': payTo,
      'the token of another network': USDC_ON_ETHEREUM.toLowerCase(),
      'the address of nobody': `0x${'0'.repeat(40)}`,
      'a contract of every chain': `0x${'0'.repeat(38)}04`,
      'the address of all ones': `0x${'f'.repeat(40)}`,
      'a contract of Base': `0x42${'0'.repeat(36)}06`,
    };
    for (const [what, address] of Object.entries(ours)) {
      const upper = `0x${address.slice(2).toUpperCase()}`;
      for (const spelling of [address.toLowerCase(), upper]) {
        const { body } = await withdraw(platform, agent, { amount: 1, address: spelling });
        expect(body.error, `${what}: ${spelling}`).to.equal('validation_error');
        expect(body.details.fields[0].pointer).to.equal('/address');
        const query = `amount=1&address=${spelling}`;
        const route = `GET /api/v1/wallet/withdrawals/quote?${query}`;
        const quote = (await platform.request(route, agent)).body;
        expect(quote.obstacles, what).to.deep.equal(['validation_error']);
      }
    }
    expect(await platform.balance(agent)).to.equal(20.5);
  });

  it('makes no deposit, and so raises no tier, where the wallet of withdrawals pays it', async () => {
    const { platform } = base;
    const agent = await platform.agent();
    await platform.query(
      `insert into hot_wallet (chain_id, address, next_nonce, first_nonce, compared_to)
       values (8453, $1, 0, 0, 0)`,
      [base.payer],
    );
    const tx_hash = await base.usdc(await ownOf(agent), 4_000_000n);
    await base.finalize();
    const route = 'POST /api/v1/evm/verify?wait=20';
    const { body } = await platform.request(route, { key: agent.key, body: { tx_hash } });
    expect(body.success, JSON.stringify(body)).to.equal(false);
    const wallet = await platform.request('GET /api/v1/wallet', agent);
    expect(wallet.body).to.include({ cash: 0, settled_inflow: 0 });
  });
});

describe('an address to which calls are paid', () => {
  it('takes no deposits, though they may be paid to it as well', async () => {
    const address = newAddress();
    const base = await openBasePlatform({
      EVM_DEPOSIT_ADDRESS: address,
      BASE_DEPOSIT_ROUTER: '',
      X402_PAY_TO: address,
      X402_FACILITATOR_URL: 'http://127.0.0.1:1',
      X402_RPC_URL: 'http://127.0.0.1:1',
      SANDBOX: 'base,x402',
    });
    const { platform } = base;
    const agent = await platform.agent();
    await platform.query(
      `insert into linked_wallet (family, address, agent_id, root_id, network)
       values ('evm', lower($1), $2, $2, 'all')`,
      [base.payer, agent.id],
    );
    const tx_hash = await base.usdc(address, 4_000_000n);
    await base.finalize();
    const route = 'POST /api/v1/evm/verify?wait=20';
    const { body } = await platform.request(route, { key: agent.key, body: { tx_hash } });
    expect(body.error).to.equal('deposit_invalid');
    expect((await platform.request('GET /api/v1/wallet', agent)).body.cash).to.equal(0);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await base.close();
  });
});
