// test:all: a hundred NFTs are minted.
import { randomUUID } from 'node:crypto';

import algosdk from 'algosdk';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import { deployTokens } from '../../shared/domains/tokens/deploy_tokens.ts';
import type { TokenGateway } from '../../shared/domains/tokens/token_gateway.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { perform } from '../../shared/performing/perform.ts';
import { openTokens } from '../../workers/gateways/algorand/tokens.ts';
import { TestPlatform } from '../harness.ts';
import { ADDRESS } from './address.ts';
import { emptied, mint, openIssuerRig, tokenOf, URI, type IssuerRig } from './issuer.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('NFTs that are minted in groups', () => {
  let issuer: IssuerRig;
  let platform: TestPlatform;
  let honest: TokenGateway;
  before(async () => {
    issuer = await openIssuerRig({ microAlgos: 200_000_000 });
    platform = await TestPlatform.open({ env: issuer.env });
    await platform.pauseWorkers();
    honest = openTokens(platform.config.tokens);
    // The contract is there.
    const first = await heldBack(await platform.agent({ usd: 1 }), 1);
    await untilDeployed(first);
  });
  afterEach(async () => expect(await audit(platform.context.database)).to.deep.equal([]));
  after(async () => {
    await platform.close();
    await issuer.rig.close();
  });

  const round = (tokens = honest) => {
    const call = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const context = { ...platform.context, gateways: { tokens } as Gateways };
    return perform(context, deployTokens as never, {}, call, { finish: async () => undefined });
  };
  /** Asks for NFTs of which none is signed yet. */
  async function heldBack(agent: Agent, count: number): Promise<number[]> {
    const refill = await emptied(issuer);
    const ids: number[] = [];
    await platform.resumeWorkers();
    for (let n = 0; n < count; n += 1) {
      const { body } = await mint(platform, agent, { uri: `${URI}${n}`, address: ADDRESS });
      ids.push(body.nft_id);
    }
    await platform.pauseWorkers();
    await refill();
    return ids;
  }
  const statesOf = (ids: readonly number[]) => Promise.all(ids.map((id) => tokenOf(platform, id)));
  /** How many rounds it took. */
  async function untilDeployed(ids: readonly number[]): Promise<number> {
    for (let rounds = 0; rounds < 100; rounds += 1) {
      const states = await statesOf(ids);
      if (states.every(({ status }) => status === 'deployed')) return rounds;
      await round();
    }
    throw new Error('not deployed in 100 rounds');
  }
  const supply = async () => {
    const [{ app }] = await platform.query(
      `select algo_id::int as app from token where kind = 'contract'`,
    );
    return honest.supplyOf(app);
  };

  it('are there in three rounds for each fifteen, each at its number', async () => {
    const ids = await heldBack(await platform.agent({ usd: 20 }), 32);
    const before = await supply();
    expect(await untilDeployed(ids)).to.be.at.most(9);
    expect(await supply()).to.equal(before + 32);
    const states = await statesOf(ids);
    expect(states.map(({ number }) => Number(number))).to.deep.equal(
      ids.map((_, n) => before + 1 + n),
    );
    expect(new Set(states.map(({ tx_id }) => tx_id)).size).to.equal(32);
    for (const { tx_id } of [states[0]!, states[31]!]) {
      const { transaction } = await issuer.rig.indexer.lookupTransactionByID(tx_id!).do();
      expect(transaction.sender).to.equal(issuer.wallet.addr.toString());
    }
  });

  it('take turns between trees: forty of one hold up nobody', async () => {
    const [many, one] = [await platform.agent({ usd: 30 }), await platform.agent({ usd: 1 })];
    const others = await heldBack(many, 40);
    const [alone] = await heldBack(one, 1);
    expect(await untilDeployed([alone!])).to.be.at.most(3);
    const there = (await statesOf(others)).filter(({ status }) => status === 'deployed');
    expect(there).to.have.length(14);
    await untilDeployed(others);
  });

  it('are signed again together, with their numbers, and fail together', async () => {
    const agent = await platform.agent({ usd: 3 });
    const ids = await heldBack(agent, 3);
    const losing: TokenGateway = { ...honest, send: async () => undefined };
    await round(losing);
    const numbers = (await statesOf(ids)).map(({ number }) => number);
    issuer.rig.node.advance(210);
    await round(losing);
    const again = await statesOf(ids);
    expect(again.map(({ attempts, number }) => [attempts, number])).to.deep.equal(
      numbers.map((number) => [2, number]),
    );
    for (let n = 0; n < 4; n += 1) {
      issuer.rig.node.advance(210);
      await round(losing);
    }
    for (const state of await statesOf(ids)) {
      expect(state).to.include({ status: 'failed', attempts: 5, number: null });
    }
    expect(await platform.balance(agent)).to.equal(3.5);
    const next = await heldBack(await platform.agent({ usd: 1 }), 1);
    await untilDeployed(next);
    expect((await tokenOf(platform, next[0]!)).number).to.equal(numbers[0]);
  });

  it('are as many as the wallet has money for', async () => {
    const ids = await heldBack(await platform.agent({ usd: 3 }), 3);
    const poor: TokenGateway = {
      ...honest,
      issuer: async () => ({ ...(await honest.issuer()), spendable: 700_000n }),
    };
    for (let n = 0; n < 3; n += 1) await round(poor);
    const states = (await statesOf(ids)).map(({ status }) => status);
    expect(states).to.deep.equal(['deployed', 'deployed', 'pending']);
    await untilDeployed(ids);
  });

  it('are not signed twice by rounds at the same time', async () => {
    const before = await supply();
    const gates = [gate(), gate()];
    const reached = [gate(), gate()];
    const waiting = (at: 0 | 1): TokenGateway => ({
      ...honest,
      async mint(contract, nfts) {
        reached[at]!.open();
        await gates[at]!.opened;
        return honest.mint(contract, nfts);
      },
    });
    const [first] = await heldBack(await platform.agent({ usd: 1 }), 1);
    const one = round(waiting(0)); // It knows of the first.
    await reached[0]!.opened;
    const [second] = await heldBack(await platform.agent({ usd: 1 }), 1);
    const other = round(waiting(1)); // It knows of both.
    await reached[1]!.opened;
    gates[0]!.open();
    await one;
    gates[1]!.open();
    await other;
    expect((await tokenOf(platform, first!)).status).to.equal('submitted');
    expect(await tokenOf(platform, second!)).to.include({ status: 'pending', attempts: 0 });
    await untilDeployed([first!, second!]);
    expect(await supply()).to.equal(before + 2);
  });

  it('go to their addresses, with their own metadata', async () => {
    const agent = await platform.agent({ usd: 2 });
    const owners = [0, 1].map(() => algosdk.generateAccount().addr.toString());
    const refill = await emptied(issuer);
    await platform.resumeWorkers();
    const ids: number[] = [];
    for (const [n, address] of owners.entries()) {
      ids.push((await mint(platform, agent, { uri: `ipfs://meta/${n}`, address })).body.nft_id);
    }
    await platform.pauseWorkers();
    await refill();
    await untilDeployed(ids);
    const [{ app }] = await platform.query(
      `select algo_id::int as app from token where kind = 'contract'`,
    );
    for (const [n, id] of ids.entries()) {
      const name = Buffer.alloc(33);
      name.write('t');
      name.writeUInt32BE(Number((await tokenOf(platform, id)).number), 29);
      const { value } = await issuer.rig.algod.getApplicationBoxByName(app, name).do();
      expect(algosdk.encodeAddress(value.subarray(0, 32))).to.equal(owners[n]);
      expect(Buffer.from(value.subarray(64)).toString()).to.equal(`ipfs://meta/${n}`);
    }
  });
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
