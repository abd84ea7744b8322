import { once } from 'node:events';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { openLog } from '../../shared/platform/log.ts';
import { redisForRequests } from '../../shared/platform/redis.ts';
import { openAddressTurns } from '../../workers/gateways/mail/address_turns.ts';
import { openMail } from '../../workers/gateways/mail/mail.ts';
import { openProbePace } from '../../workers/gateways/mail/probe_pace.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { startNameServer } from '../name_server.ts';
import { patience } from '../platform/pace.ts';
import { answersOf } from './zone.ts';

/** Work that ends when it is told to. */
function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  const endAll = () => ends.forEach((end) => end());
  return { begun, ends, work, endAll };
}

describe('the turns of addresses of batches', () => {
  it('give a tree half of those in hand, slow or not, and the others to others', async () => {
    const { begun, work, endAll } = heldWork();
    const inTurn = openAddressTurns({ max: 4, waitMs: patience(20_000) });
    const all = ['a0', 'a1', 'a2'].map((name) => inTurn(1, work(name)));
    for (const name of ['b0', 'b1', 'b2']) all.push(inTurn(2, work(name)));
    expect(begun).to.deep.equal(['a0', 'a1', 'b0', 'b1']);
    // Two of a tree that has none begin beside them, up to as many again.
    for (const tree of [3, 4, 5]) all.push(inTurn(tree, work(`c${tree}`)));
    for (const tree of [3, 4, 5]) all.push(inTurn(tree, work(`d${tree}`)));
    expect(begun).to.have.length(8);
    // Work that is known to be slow holds up nobody else.
    await eventually(
      async () => begun,
      (names) => names.includes('d5'),
    );
    expect(begun).not.to.include('a2');
    await eventually(
      async () => begun.length,
      (count) => {
        endAll();
        return count === all.length;
      },
    );
    endAll();
    const ended = await Promise.all(all);
    expect(ended.slice(0, 6)).to.deep.equal(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
  });

  it('end without a turn where none comes in time, and the work does not begin', async () => {
    const { begun, work, endAll } = heldWork();
    const inTurn = openAddressTurns({ max: 2, waitMs: 1 });
    const first = inTurn(1, work('a0'));
    expect(await inTurn(1, work('a1'))).to.equal(undefined);
    endAll();
    expect([await first, begun]).to.deep.equal(['a0', ['a0']]);
  });

  it('end as their work does, and then others begin', async () => {
    const inTurn = openAddressTurns({ max: 2, waitMs: patience(20_000) });
    const fails = inTurn(1, () => Promise.reject(new Error('broken')));
    const next = inTurn(1, async () => 'next');
    expect(await fails.catch((error: Error) => error.message)).to.equal('broken');
    expect(await next).to.equal('next');
  });
});

describe('the addresses of batches for which mail servers are asked', () => {
  it('begin one at a time, and trees take turns', async () => {
    const { begun, ends, work } = heldWork();
    const atPace = openProbePace({ slowMs: 60_000 });
    const all = ['a0', 'a1', 'a2'].map((name) => atPace(1, work(name)));
    await new Promise(setImmediate);
    expect(begun).to.deep.equal(['a0']);
    all.push(atPace(2, work('b0')));
    for (let ended = 0; ended < all.length; ended += 1) {
      await new Promise(setImmediate);
      expect(begun).to.have.length(ended + 1);
      ends.get(begun.at(-1)!)!();
    }
    expect(begun.indexOf('b0')).to.be.below(3);
    expect(await Promise.all(all)).to.deep.equal(['a0', 'a1', 'a2', 'b0']);
  });

  it('give their places to the next where they only wait', async () => {
    const { begun, work, endAll } = heldWork();
    const atPace = openProbePace();
    const all = Array.from({ length: 20 }, (_, n) => atPace(1, work(`a${n}`)));
    await eventually(
      async () => begun.length,
      (length) => length === 20,
    );
    endAll();
    expect(await Promise.all(all)).to.include.members(['a0', 'a19']);
  });

  it('end as their work does', async () => {
    const fails = openProbePace()(1, () => Promise.reject(new Error('broken')));
    expect(await fails.catch((error: Error) => error.message)).to.equal('broken');
  });
});

describe('a batch of more new domains than a worker looks up in time', function () {
  this.timeout(60_000);

  it('is put off, loses no answer, and asks for no domain twice', async () => {
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const answer = answersOf({
      '*.mail.example': { MX: ['mx.mail.example'] },
      'n0.mail.example': 'SERVFAIL', // It is not cached, and must not be asked for again.
    });
    const names = await startNameServer(async (type, name) => {
      if (type === 'MX') await held;
      return answer(type, name);
    });
    const platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
    const { config, clock, gateways } = platform.context;
    const log = openLog('silent', 'test');
    const redis = redisForRequests(process.env.TEST_REDIS_URL!, log, patience(800));
    await once(redis, 'ready');
    const own = { store: { redis, prefix: `{test_${names.address}}` }, clock, log };
    const mail = openMail(config, openEgress(config), own, { max: 4, waitMs: 1 });
    expect(gateways!.mail, 'opened at its first use').to.be.an('object');
    Object.assign(gateways!, { mail });
    const agent = await platform.agent();
    const emails = Array.from({ length: 6 }, (_, n) => `ada@n${n}.mail.example`);
    const route = 'POST /api/v1/email/validate?wait=25';
    const answered = platform.request(route, { key: agent.key, body: { emails } });
    const asked = () => names.asked.filter((question) => question.startsWith('MX'));
    await eventually(
      async () => asked().length,
      (count) => count === 2,
    );
    // The others waited before, for less time, so that their time is up when this is over.
    await new Promise((resolve) => setTimeout(resolve, 2));
    release();
    const { body } = await answered;
    expect(body).to.include({ status: 'complete', answered: 5, charged: 0.01 });
    expect(new Set(asked()).size).to.equal(6);
    expect(asked()).to.have.length(6);
    expect(await platform.balance(agent)).to.equal(0.49);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    redis.disconnect();
    await names.close();
  });
});
