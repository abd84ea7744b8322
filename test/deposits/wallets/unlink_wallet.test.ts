import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { openTransaction } from '../../events/scene.ts';
import { eventually } from '../../harness.ts';
import { untilWaiting } from '../../in_queue.ts';
import { childOf } from '../../agents/child.ts';
import { openBasePlatform, type BasePlatform } from '../evm/platform.ts';
import { evmWallet, solanaWallet, type ExternalWallet } from './external_wallets.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('unlink_wallet', () => {
  let base: BasePlatform;
  before(async () => {
    base = await openBasePlatform();
  });
  afterEach(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });
  after(() => base.close());

  const request = (route: string, { key }: Agent, body?: object) =>
    base.platform.request(route, { key, ...(body && { body }) });
  const unlink = (
    agent: Agent,
    { network, address }: Pick<ExternalWallet, 'network' | 'address'>,
  ) => request('POST /api/v1/wallets/unlink', agent, { network, address });
  const link = async (agent: Agent, { network, address, sign }: ExternalWallet) => {
    const route = 'POST /api/v1/wallets/link?wait=20';
    const { message } = (await request(route, agent, { network, address })).body;
    return request(route, agent, { network, address, signature: await sign(message) });
  };
  /** The wallet that pays on the chain of these tests. */
  const payer = (): ExternalWallet => ({
    network: 'evm',
    address: base.payer,
    sign: async (text) => {
      const hex = `0x${Buffer.from(text).toString('hex')}`;
      return (await base.evm.send('personal_sign', [hex, base.payer])) as string;
    },
  });
  const verify = async (agent: Agent, tx_hash: string) =>
    (await request('POST /api/v1/evm/verify?wait=20', agent, { tx_hash })).body;
  const cashOf = async (agent: Agent) => (await request('GET /api/v1/wallet', agent)).body.cash;
  const pay = () => base.usdc(base.recipient, 1_000_000n);
  /** The clock of this chain may be ahead by some blocks. */
  const untilPaid = async (txId: string) => {
    const { blockNumber } = (await base.evm.send('eth_getTransactionReceipt', [txId])) as {
      blockNumber: string;
    };
    const block = await base.evm.send('eth_getBlockByNumber', [blockNumber, false]);
    const at = Number((block as { timestamp: string }).timestamp) * 1_000;
    await eventually(
      async () => Date.now(),
      (now) => now > at,
    );
  };

  it('leaves with the agent what the wallet paid before, and nothing of what it pays then', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    expect((await link(agent, payer())).body.linked).to.equal(true);
    const noted = await pay();
    expect((await verify(agent, noted)).status).to.equal('detected');
    const unseen = await pay();
    await untilPaid(unseen);
    const { status, body } = await unlink(agent, payer());
    expect(status, body.message).to.equal(200);
    expect(body).to.include({ network: 'evm', address: base.payer, agent_id: agent.id });
    await base.evm.send('evm_increaseTime', [2]); // Times of blocks are whole seconds.
    const after = await pay();
    await base.finalize();
    expect((await verify(agent, after)).error).to.equal('deposit_unbound');
    expect((await verify(agent, noted)).status).to.equal('credited');
    expect((await verify(other, unseen)).error).to.equal('already_credited');
    expect(await cashOf(agent)).to.equal(2);

    expect((await link(other, payer())).body.linked).to.equal(true);
    expect((await verify(agent, after)).error).to.equal('already_credited');
    expect([await cashOf(agent), await cashOf(other)]).to.deep.equal([2, 1]);
    expect((await verify(agent, noted)).status).to.equal('credited');
    await unlink(other, payer());
  });

  it('is of the owner of the tree, for whichever of its agents has the wallet', async () => {
    const [owner, other] = [await base.platform.agent(), await base.platform.agent()];
    const child = await childOf(base.platform, owner);
    const wallet = evmWallet();
    await link(child, wallet);
    for (const [agent, error] of [
      [child, 'forbidden'],
      [other, 'not_found'],
    ] as const) {
      expect((await unlink(agent, wallet)).body.error).to.equal(error);
      expect((await link(other, wallet)).body.error).to.equal('wallet_taken');
    }
    const written = { ...wallet, address: wallet.address.toLowerCase() };
    expect((await unlink(owner, written)).body.agent_id).to.equal(child.id);
  });

  it('ends it once, however many ask, and it can be linked again by anybody', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    const wallet = solanaWallet();
    expect((await unlink(agent, wallet)).body.error).to.equal('not_found');
    await link(agent, wallet);
    const answers = await Promise.all([1, 2, 3].map(() => unlink(agent, wallet)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
      200, 404, 404,
    ]);
    const links = await Promise.all([link(agent, wallet), link(other, wallet)]);
    expect(links.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 409]);
    expect(await cashOf(agent)).to.equal(0);
  });

  const LINK = `linked_wallet where address = lower($1) and unlinked_at is null`;

  it('leaves with the agent what was noted while it waited for the link', async () => {
    const agent = await base.platform.agent();
    await link(agent, payer());
    const other = await openTransaction(base.platform);
    await other.db.query(`select from ${LINK} for update`, [base.payer]);
    const unlinking = unlink(agent, payer());
    await untilWaiting(base.platform, 1);
    await base.evm.send('evm_increaseTime', [2]); // Times of blocks are whole seconds.
    const noted = await pay();
    await untilPaid(noted);
    const verified = verify(agent, noted);
    await Promise.race([verified, untilWaiting(base.platform, 2)]);
    await other.commit();
    expect((await unlinking).status).to.equal(200);
    expect(await verified).to.include({ status: 'detected' });
    await base.finalize();
    expect((await verify(agent, noted)).status).to.equal('credited');
  });

  it('is waited for by what its wallet pays then, which is nobody’s', async () => {
    const agent = await base.platform.agent();
    await link(agent, payer());
    const unlinking = await openTransaction(base.platform);
    await unlinking.db.query(
      `update linked_wallet set unlinked_at = clock_timestamp()
        where ctid = (select ctid from ${LINK})`,
      [base.payer],
    );
    await base.evm.send('evm_increaseTime', [2]);
    const verified = verify(agent, await pay());
    await Promise.race([verified, untilWaiting(base.platform, 1)]);
    await unlinking.commit();
    expect((await verified).error).to.equal('deposit_unbound');
    expect(await cashOf(agent)).to.equal(0);
  });

  it('leaves with the agent what was noted, also of a network whose clock is ahead', async () => {
    const agent = await base.platform.agent();
    await link(agent, payer());
    await base.evm.send('evm_increaseTime', [3_600]);
    const noted = await pay();
    expect((await verify(agent, noted)).status).to.equal('detected');
    await unlink(agent, payer());
    await base.finalize();
    expect((await verify(agent, noted)).status).to.equal('credited');
    expect(await cashOf(agent)).to.equal(1);
  });
});
