import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';
import {
  algorandWallet,
  evmWallet,
  solanaWallet,
  tronWallet,
  type ExternalWallet,
} from './external_wallets.ts';

type Agent = Awaited<ReturnType<TestPlatform['agent']>>;
const ROUTE = 'POST /api/v1/wallets/link?wait=20';

describe('link_wallet', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const link = ({ key }: Agent, { network, address }: ExternalWallet, signature?: string) =>
    platform.request(ROUTE, { key, body: { network, address, ...(signature && { signature }) } });
  /** The message that the agent is given to sign. */
  const messageFor = async (agent: Agent, wallet: ExternalWallet): Promise<string> => {
    const { status, body } = await link(agent, wallet);
    expect([status, body.linked], body.message).to.deep.equal([200, false]);
    return body.message;
  };
  const holderOf = async ({ address }: ExternalWallet) => {
    const sql = 'select agent_id::int from linked_wallet where lower(address) = lower($1)';
    return (await platform.query(sql, [address]))[0]?.agent_id;
  };

  for (const open of [evmWallet, tronWallet, solanaWallet, algorandWallet]) {
    const wallet = open();
    it(`links a wallet of ${wallet.network} by its signature, once for ever`, async () => {
      const agent = await platform.agent();
      const message = await messageFor(agent, wallet);
      expect(message).to.contain(wallet.address).and.contain(`agent ${agent.id}.`);
      const { body } = await link(agent, wallet, await wallet.sign(message));
      expect(body).to.deep.equal({
        network: wallet.network,
        address: wallet.address,
        linked: true,
        agent_id: agent.id,
        message: null,
        expires_at: null,
      });
      expect(await holderOf(wallet)).to.equal(agent.id);
      expect((await link(agent, wallet)).body).to.include({ linked: true, message: null });
    });

    it(`takes no signature of ${wallet.network} by another wallet, of another text, or none`, async () => {
      const agent = await platform.agent();
      const [named, other] = [open(), open()];
      const message = await messageFor(agent, named);
      const wrong = [
        await other.sign(message),
        await named.sign(`${message} `),
        'a'.repeat(88),
        `0x${'1b'.repeat(65)}`,
      ];
      for (const signature of wrong) {
        const { status, body } = await link(agent, named, signature);
        expect([status, body.error], signature).to.deep.equal([422, 'signature_invalid']);
      }
      expect(await holderOf(named)).to.equal(undefined);
      const mistyped = { ...named, address: `${named.address.slice(0, -1)}!` };
      expect((await link(agent, mistyped)).body.error).to.equal('validation_error');
    });
  }

  it('answers the same to repeats of a signature, and takes none of another agent', async () => {
    const [agent, other] = [await platform.agent(), await platform.agent()];
    const wallet = evmWallet();
    const signature = await wallet.sign(await messageFor(agent, wallet));
    await messageFor(other, wallet);
    expect((await link(other, wallet, signature)).body.error).to.equal('signature_invalid');
    const answers = await Promise.all([1, 2, 3].map(() => link(agent, wallet, signature)));
    answers.push(await link(agent, wallet, signature));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(answers.map(({ body }) => body.linked)).to.deep.equal([true, true, true, true]);
    expect((await link(other, wallet, signature)).body.error).to.equal('signature_invalid');
    expect(await holderOf(wallet)).to.equal(agent.id);
    // It links nothing again.
    const { network, address } = wallet;
    const body = { network, address };
    await platform.request('POST /api/v1/wallets/unlink', { key: agent.key, body });
    expect((await link(agent, wallet, signature)).body.error).to.equal('signature_invalid');
  });

  it('links no other address than the one that the message names', async () => {
    const agent = await platform.agent();
    const [named, other] = [evmWallet(), evmWallet()];
    const message = await messageFor(agent, named);
    const { status } = await link(agent, other, await other.sign(message));
    expect([status, await holderOf(other)]).to.deep.equal([422, undefined]);
  });

  it('takes no signature of a message that was replaced, or is too old', async () => {
    const agent = await platform.agent();
    const wallet = evmWallet();
    const before = await wallet.sign(await messageFor(agent, wallet));
    const message = await messageFor(agent, wallet);
    expect((await link(agent, wallet, before)).status).to.equal(422);
    const past = '2026-01-01T00:00:00.000Z';
    const makeOld = 'update wallet_challenge set expires_at = $2 where agent_id = $1';
    await platform.query(makeOld, [agent.id, past]);
    const old = await wallet.sign(message.replace(/(?<=Expiration Time: ).*/, past));
    expect((await link(agent, wallet, old)).status).to.equal(422);
    expect(await holderOf(wallet)).to.equal(undefined);
  });

  it('leaves a wallet with the agent that has it, however its address is written', async () => {
    const [agent, other] = [await platform.agent(), await platform.agent()];
    const wallet = evmWallet();
    await link(agent, wallet, await wallet.sign(await messageFor(agent, wallet)));
    const written = { ...wallet, address: wallet.address.toLowerCase() };
    const signature = await wallet.sign(await messageFor(other, written));
    const { status, body } = await link(other, written, signature);
    expect([status, body.error]).to.deep.equal([409, 'wallet_taken']);
    expect(await holderOf(wallet)).to.equal(agent.id);
  });
});
