import { expect } from 'chai';

import { openJsonRpc } from '../../../workers/gateways/rpc/json_rpc.ts';
import { openLimit } from '../../../workers/gateways/rpc/limit.ts';
import { limitIn } from '../../../workers/gateways/rpc/refusal.ts';
import { redacted } from '../../../workers/gateways/rpc/redact.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { newAddress, openPaying, type Paying } from '../evm/payer.ts';
import { openLimitedRpc } from './limited_rpc.ts';

const LOGS = { fromBlock: '0x1', toBlock: '0x40' };

describe('the limits of a provider', () => {
  const times = (count: number, work: () => void) => Array.from({ length: count }, work);

  it('grow quickly until a first refusal, and then in small steps after many answers', () => {
    const limit = openLimit({ start: 10, max: 1_000 });
    times(2, () => limit.answered(10));
    expect(limit.value).to.equal(20);
    times(100, () => limit.answered(19));
    expect(limit.value).to.equal(20);
    limit.refused(20);
    expect(limit.value).to.equal(10);
    times(49, () => limit.answered(10));
    expect(limit.value).to.equal(10);
    limit.answered(10);
    expect(limit.value).to.equal(11);
    limit.refused(11);
    times(99, () => limit.answered(5));
    expect(limit.value).to.equal(5);
    limit.answered(5);
    expect(limit.value).to.equal(6);
  });

  it('shrink to what the provider names, and by half if that was refused', () => {
    const limit = openLimit({ start: 100, max: 1_000 });
    limit.refused(100, 99);
    expect(limit.value).to.equal(99);
    limit.refused(99, 98);
    expect(limit.value).to.equal(49);
    limit.refused(99, 1); // It was in flight when the limit shrank.
    expect(limit.value).to.equal(49);
    limit.refused(1);
    expect(limit.value).to.be.greaterThan(0);
  });

  it('are read from the words of a refusal, but no number of blocks or codes', () => {
    for (const [words, asked, found] of [
      ['up to a 10 block range. This range should work: [0x4d, 0x56].', 100, 10],
      ['query returned more than 10000 results', 2_000, undefined],
      ['eth_getLogs is limited to a 5 range', 50, 5],
      ['Batch size 10 exceeds the limit of 3', 10, 3],
      ['ranges over 1,000 blocks are not served', 5_000, 1_000],
      ['error -32005', 40_000, undefined],
    ] as const) {
      expect(limitIn(words, asked), words).to.equal(found);
    }
  });
});

describe('questions to a provider', () => {
  let paying: Paying;
  let rpc: FaultyRpc;
  before(async () => {
    paying = await openPaying();
    await paying.evm.mine(70);
    rpc = await openFaultyRpc(paying.evm.url);
  });
  afterEach(() => rpc.honest());
  after(async () => {
    rpc.close();
    await paying.close();
  });

  it('go one by one where no batch is taken, with the same answers', async () => {
    const error = { code: -32_600, message: 'batches are not served' };
    const single = await openLimitedRpc(paying.evm.url, {
      batch: { max: 1, status: 400, error },
    });
    const questions = Array.from(
      { length: 12 },
      (_, at) => ['eth_getBlockByNumber', [`0x${at.toString(16)}`, false]] as const,
    );
    const numbers = (await openJsonRpc(single.url).askAll(questions)).map((block) =>
      Number((block as { number: string }).number),
    );
    expect(numbers).to.deep.equal(Array.from({ length: 12 }, (_, at) => at));
    single.close();
  });

  it('about logs lose and double none where ranges are refused half way', async () => {
    const mine = newAddress();
    for (let at = 0; at < 3; at += 1) {
      await paying.usdc(mine, BigInt(at + 1));
      await paying.evm.mine(20);
    }
    const latest = (await paying.evm.send('eth_blockNumber')) as string;
    const filter = { address: paying.evm.usdc, fromBlock: '0x1', toBlock: latest };
    const all = (await openJsonRpc(paying.evm.url).ask('eth_getLogs', [filter])) as object[];
    const asked: number[] = [];
    rpc.on('eth_getLogs', async ([asking], forward) => {
      const { fromBlock, toBlock } = asking as typeof LOGS;
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      asked.push(blocks);
      return blocks > 7 ? new Error('query exceeds the block range') : forward();
    });
    const found = await openJsonRpc(rpc.url).ask('eth_getLogs', [filter]);
    expect(found).to.deep.equal(all);
    expect(all.length).to.be.greaterThan(2);
    expect(Math.max(...asked)).to.be.greaterThan(7);
  });

  it('end with a refusal of a single block, and of a method that is unknown, at once', async () => {
    rpc.on('eth_getLogs', async () => new Error('too many results'));
    expect(await faultOf(openJsonRpc(rpc.url).ask('eth_getLogs', [LOGS]))).to.contain('results');
    const before = rpc.requests();
    rpc.on('eth_call', async () => new Error('execution reverted: no'));
    expect(await faultOf(openJsonRpc(rpc.url).ask('eth_call', [{}, 'latest']))).to.contain('no');
    expect(rpc.requests()).to.equal(before + 1);
  });

  it('stop while the provider asks for a pause that is too long to wait for', async () => {
    const slow = await openLimitedRpc(paying.evm.url, { perSecond: 0, pauseSeconds: 600 });
    const json = openJsonRpc(slow.url);
    for (let at = 0; at < 3; at += 1) {
      expect(await faultOf(json.ask('eth_chainId', []))).to.match(/takes no request for \d+ s/);
    }
    expect(slow.requests()).to.equal(1);
    slow.close();
  });
});

describe('the words of a provider', () => {
  it('are shown without URLs, keys and addresses of machines', () => {
    const key = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
    for (const words of [
      `Invalid key ${key}`,
      `see https://user:${key}@rpc.example.com/v2/${key}?apikey=${key}`,
      `TRON-PRO-API-KEY: ${key}`,
      `Authorization: Bearer ${key}.${key}`,
      `token=short`,
      'your IP 203.0.113.7',
    ]) {
      expect(redacted(words), words).to.not.match(/aB3dE5|short|203\.0|example/);
    }
    expect(redacted('own words of mine', ['of mine'])).to.equal('own words [hidden]');
  });

  it('keep what an operator needs', () => {
    const address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
    for (const words of [
      'execution reverted: Blacklistable: account is blacklisted',
      'nonce too low: next nonce 7, tx nonce 5',
      'the method eth_getBlockByNumber is not available',
      `insufficient funds of ${address}`,
    ]) {
      expect(redacted(words)).to.equal(words);
    }
  });
});
