import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, type Reply } from '../../harness.ts';
import { mistyped } from '../../agents/mistyped.ts';
import { XPUB } from './xpub.ts';
import { openBasePlatform, type BasePlatform } from './platform.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('a deposit by an EVM network', () => {
  let base: BasePlatform;
  let agent: Agent;
  let reference: string;

  before(async () => {
    base = await openBasePlatform();
  });
  beforeEach(async () => {
    agent = await base.platform.agent();
    ({ reference } = await infoOf(agent));
  });
  afterEach(() => base.providers.forEach((provider) => provider.honest()));
  after(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
    await base.close();
  });

  const infoOf = async ({ key }: Agent) =>
    (await base.platform.request('GET /api/v1/evm/info', { key })).body;
  const cashOf = async ({ key }: Agent) =>
    (await base.platform.request('GET /api/v1/wallet', { key })).body.cash;
  const verify = (tx_hash: string, { key } = agent, more: object = {}): Promise<Reply> =>
    base.platform.request('POST /api/v1/evm/verify?wait=20', { key, body: { tx_hash, ...more } });
  /** By a call of its own, once final. */
  const verifyFinal = async (paid: Promise<string>, as = agent) => {
    const txId = await paid;
    await base.finalize();
    return verify(txId, as);
  };

  it('is credited once its block is final, at its price, and detected before', async () => {
    const txId = await base.byRouter(reference, { wei: 10n ** 15n });
    const early = await verify(txId);
    expect([early.status, early.body.status, early.body.usd]).to.deep.equal([
      200,
      'detected',
      null,
    ]);
    expect(await cashOf(agent)).to.equal(0);
    await base.finalize();
    const { status, body } = await verify(txId);
    expect([status, body.status, body.usd, body.asset]).to.deep.equal([200, 'credited', 3, 'ETH']);
    expect(body).to.include({ rail: 'base', network: 'sandbox', tx_id: txId });
    expect(await cashOf(agent)).to.equal(3);

    const dollars = await verifyFinal(base.byRouter(reference, { usdc: 2_500_000n }));
    expect([dollars.body.usd, dollars.body.asset]).to.deep.equal([2.5, 'USDC']);
    expect(await cashOf(agent)).to.equal(5.5);
  });

  it('is credited once by fifty claims at the same time, which ask no provider again later', async () => {
    const txId = await base.byRouter(reference, { usdc: 1_000_000n });
    await base.finalize();
    const claims = await Promise.all(Array.from({ length: 50 }, () => verify(txId)));
    expect(new Set(claims.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(claims.map(({ body }) => body.deposit_id)).size).to.equal(1);
    expect(await cashOf(agent)).to.equal(1);
    const requests = () => base.providers.map((provider) => provider.requests());
    // The platform looks at its networks by the clock, too.
    await eventually(
      async () => {
        const before = requests();
        // Written otherwise it is the same.
        for (const written of [
          `0x${txId.slice(2).toUpperCase()}`,
          txId.slice(2),
          ` ${txId}\n`,
          `https://basescan.org/tx/${txId}#eventlog`,
        ]) {
          const again = await verify(written, agent, { network: 'base' });
          expect([again.status, again.body.status], written).to.deep.equal([200, 'credited']);
        }
        return requests().every((count, n) => count === before[n]);
      },
      (isUnasked) => isUnasked,
    );
  });

  it("is its agent's, whoever claims it, and nobody's without a proof", async () => {
    const other = await base.platform.agent();
    const txId = await base.byRouter(reference, { usdc: 1_000_000n });
    await base.finalize();
    for (const when of ['which credits it', 'once it is credited']) {
      const theirs = await verify(txId, other);
      expect([theirs.status, theirs.body.error], when).to.deep.equal([409, 'already_credited']);
    }
    expect(await cashOf(agent)).to.equal(1);
    expect(await cashOf(other)).to.equal(0);
    for (const paid of [
      base.coin(base.recipient, 10n ** 15n),
      base.byRouter(mistyped(reference), { wei: 5n }),
    ]) {
      const { status, body } = await verifyFinal(paid);
      expect([status, body.error]).to.deep.equal([409, 'deposit_unbound']);
    }
    expect(await cashOf(agent)).to.equal(1);
  });

  it('is refused with the reason where nothing that counts was paid to us', async () => {
    const elsewhere = await base.platform.agent();
    for (const [paid, reason] of [
      [base.forged(base.recipient, 5_000_000n), 'is not taken, whatever it is called'],
      [base.withinContract(base.recipient, 10n ** 15n), 'credited by its balance'],
      [base.usdc(`0x${'12'.repeat(20)}`, 5n), 'pays us nothing'],
      [base.byRouter(reference, { wei: 0n }), 'failed on its network'],
      [base.byRouter(reference, { usdc: 99_999n }), 'less than the minimum of $0.1'],
    ] as const) {
      const { status, body } = await verifyFinal(paid, agent);
      expect([status, body.error], reason).to.deep.equal([422, 'deposit_invalid']);
      expect(body.message).to.contain(reason);
    }
    for (const [written, words] of [
      [`0x${'ab'.repeat(33)}`, 'must have a hash'],
      [`${'ab'.repeat(32)} ${'cd'.repeat(32)}`, 'send one'],
    ] as const) {
      const refused = await verify(written, elsewhere);
      expect([refused.status, refused.body.error]).to.deep.equal([422, 'validation_error']);
      expect(refused.body.details.fields[0].pointer).to.equal('/tx_hash');
      expect(refused.body.message).to.include(words);
    }
    const { status, body } = await verify(`0x${'ab'.repeat(32)}`, elsewhere);
    expect([status, body.error]).to.deep.equal([404, 'transaction_unknown']);
    expect(await cashOf(agent)).to.equal(0);
  });

  it('waits for an operator where it is worth more than anybody has', async () => {
    await base.evm.mint(base.payer, 2n * 10n ** 15n);
    const { status, body } = await verifyFinal(base.byRouter(reference, { usdc: 10n ** 15n + 1n }));
    expect([status, body.status]).to.deep.equal([200, 'held']);
    expect(await cashOf(agent)).to.equal(0);
  });

  it('is not credited when a reorganization has dropped what was detected', async () => {
    const txId = await base.byRouter(reference, { usdc: 3_000_000n });
    expect((await verify(txId)).body.status).to.equal('detected');
    await base.evm.dropBlock();
    await base.finalize();
    expect((await verify(txId)).body.error).to.equal('transaction_unknown');
    expect(await cashOf(agent)).to.equal(0);
  });
});

describe('a deposit address of one agent', () => {
  let base: BasePlatform;

  before(async () => {
    base = await openBasePlatform({ EVM_DEPOSIT_XPUB: XPUB });
  });
  after(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
    await base.close();
  });

  it('is its own for good, and whatever is paid to it is for that agent', async () => {
    const agents = [await base.platform.agent(), await base.platform.agent()];
    const addresses = [];
    for (const { key } of [...agents, agents[0]!]) {
      const { body } = await base.platform.request('GET /api/v1/evm/info', { key });
      const [network] = body.networks;
      expect(network).to.include({ network: 'base', wallet_ready: true, own: true });
      addresses.push(network.address);
    }
    expect(addresses[0]).to.equal(addresses[2]).and.to.not.equal(addresses[1]);
    const tx_hash = await base.usdc(addresses[0], 4_000_000n);
    await base.finalize();
    const { body } = await base.platform.request('POST /api/v1/evm/verify?wait=20', {
      key: agents[0]!.key,
      body: { tx_hash },
    });
    expect([body.status, body.usd]).to.deep.equal(['credited', 4]);
  });
});
