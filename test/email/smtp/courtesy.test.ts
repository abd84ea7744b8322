import { expect } from 'chai';

import type { ProbeResult } from '../../../workers/gateways/mail/smtp/answers.ts';
import { eventually } from '../../harness.ts';
import { startMailServer, type MailServer } from './mail_server.ts';
import { openProbeRig, type ProbeRig } from './probe_rig.ts';

const NAMES = 20;

describe('several workers that ask one mail server', function () {
  this.timeout(60_000);

  let rig: ProbeRig;
  let server: MailServer;
  /** When each recipient was named. */
  const times: number[] = [];
  let word: Promise<void> | undefined;
  before(async () => {
    const names = Array.from({ length: NAMES }, (_, n) => [`mx${n}.example`, A_LOCAL] as const);
    rig = await openProbeRig({ 'mx.example': A_LOCAL, ...Object.fromEntries(names) });
    server = await startMailServer(async (recipient) => {
      times.push(performance.now());
      await word;
      if (recipient.startsWith('ada')) return undefined;
      const isBlocked = recipient.endsWith('@blocked.example');
      return isBlocked
        ? { code: 554, text: '5.7.1 blocked using an RBL' }
        : { code: 550, text: '5.1.1 No such user' };
    });
  });
  beforeEach(() => {
    word = undefined;
    times.length = 0;
    Object.assign(server.sessions, { count: 0, concurrentMax: 0 });
    (server.recipients as string[]).length = 0;
  });
  after(async () => {
    await rig.close();
    await server.close();
  });

  const at = (local: string, domain = 'mail.example') => ({ local, domain });
  const HOSTS = ['mx.example'];
  /** Two workers that share what they know. */
  function pair(settings: Parameters<ProbeRig['worker']>[1] = {}) {
    const prefix = rig.newPrefix();
    const open = () => rig.worker(server.port, settings, prefix);
    return { prefix, workers: [open(), open()] as const };
  }
  /** The server waits with its answers until what is returned is called. */
  function hold(): () => void {
    let speak!: () => void;
    word = new Promise((resolve) => (speak = resolve));
    return speak;
  }
  const asked = () =>
    eventually(
      async () => server.recipients.length,
      (count) => count > 0,
    );

  it('have one session with a machine at a time, whatever its names are, and pause', async () => {
    const { workers } = pair({ pauseMs: 50 });
    const results = await Promise.all(
      Array.from({ length: NAMES }, (_, n) =>
        workers[n % 2]!(at(`n${n}`, `d${n}.example`), [`mx${n}.example`], n % 3),
      ),
    );
    expect(new Set(results)).to.deep.equal(new Set(['mailbox_refused']));
    expect(server.sessions).to.deep.equal({ count: NAMES, concurrentMax: 1 });
    const pauses = times.slice(1).map((time, n) => time - times[n]!);
    expect(Math.min(...pauses)).to.be.above(40); // Redis counts whole milliseconds.
  });

  it('leave a machine alone for a domain for which it turned one of them away', async () => {
    const { workers } = pair({ backOffMs: 60_000 });
    const [one, other] = workers;
    expect(await one(at('ada2'), HOSTS, 1)).to.equal('mailbox_accepted');
    expect(await one(at('eve', 'blocked.example'), HOSTS, 1)).to.equal('probe_failed');
    const again = [at('bob', 'blocked.example'), ['mx1.example'], 2] as const;
    expect(await other(...again)).to.equal('mailbox_not_asked');
    expect(await other(at('bob'), HOSTS, 2)).to.equal('mailbox_refused');
    expect(server.sessions.count).to.equal(3);
  });

  it('ask once for a mailbox that both are asked for', async () => {
    const { workers } = pair();
    const [one, other] = workers;
    const speak = hold();
    const first = one(at('ada'), HOSTS, 1);
    const same = one(at('ada'), HOSTS, 1);
    await asked();
    expect(await other(at('ada'), HOSTS, 2)).to.equal('elsewhere');
    speak();
    expect(await Promise.all([first, same])).to.deep.equal(Array(2).fill('mailbox_accepted'));
    expect(await other(at('ada'), HOSTS, 2)).to.equal('mailbox_accepted');
    expect(server.sessions.count).to.equal(1);
  });

  it('have one session at a time although Redis loses everything meanwhile', async () => {
    const { prefix, workers } = pair({ quietMs: 2_500 });
    const [one, other] = workers;
    const speak = hold();
    const first = one(at('ada'), HOSTS, 1);
    await asked();
    await rig.forget(prefix);
    const second = other(at('bob'), HOSTS, 2);
    const machine = `${prefix}:mail:machine:127.0.0.1`;
    await eventually(() => rig.store.redis.exists(machine), Boolean);
    // The other one has tried again since then, after the quiet time.
    const since = Number(await rig.store.redis.get(`${prefix}:mail:since`));
    await eventually(
      async () => Number((await rig.store.redis.time())[0]) * 1_000,
      (now) => now > since + 4_000,
    );
    expect(server.sessions.count).to.equal(1);
    speak();
    expect(await Promise.all([first, second])).to.deep.equal([
      'mailbox_accepted',
      'mailbox_refused',
    ]);
    expect(server.sessions).to.deep.equal({ count: 2, concurrentMax: 1 });
  });

  it('leave a machine alone although Redis has lost that it turned one of them away', async () => {
    const { prefix, workers } = pair({ backOffMs: 60_000, quietMs: 2_500 });
    const [one, other] = workers;
    expect(await one(at('eve', 'blocked.example'), HOSTS, 1)).to.equal('probe_failed');
    await rig.forget(prefix);
    const again = await other(at('bob', 'blocked.example'), HOSTS, 2);
    expect(again).to.equal('mailbox_not_asked');
    expect(server.sessions.count).to.equal(1);
  });

  it('ask nobody while Redis does not answer', async () => {
    const broken = await openProbeRig({ 'mx.example': A_LOCAL });
    broken.store.redis.disconnect();
    expect(await broken.worker(server.port)(at('ada'), HOSTS, 1)).to.equal('mailbox_not_asked');
    expect(server.sessions.count).to.equal(0);
    await broken.close();
  });

  it('let trees of agents take turns, and ask none of the newest of the one with most', async () => {
    const worker = rig.worker(server.port, { waitingMax: 4 });
    const speak = hold();
    const first = worker(at('ada'), HOSTS, 1);
    await asked();
    const many: Promise<ProbeResult | 'elsewhere'>[] = [];
    for (const n of [1, 2, 3, 4]) many.push(worker(at(`m${n}`), HOSTS, 1));
    await eventually(() => claims(4), Boolean);
    const one = worker(at('honest'), HOSTS, 2);
    expect(await many[3]).to.equal('mailbox_not_asked');
    speak();
    expect(await Promise.all([first, one, ...many.slice(0, 3)])).to.deep.equal([
      'mailbox_accepted',
      ...Array<string>(4).fill('mailbox_refused'),
    ]);
    const order = server.recipients.map((one) => one.split('@')[0]);
    expect(order.indexOf('honest')).to.be.below(order.indexOf('m2'));
    expect(server.sessions.concurrentMax).to.equal(1);
  });

  /** Whether so many mailboxes have been claimed, beside the one that is asked for. */
  async function claims(count: number): Promise<boolean> {
    const keys = await rig.store.redis.keys('{test_*:mail:answer:*');
    return keys.length > count;
  }

  it('do not wait for ever', async () => {
    const { workers } = pair({ waitMs: 300 });
    const speak = hold();
    const first = workers[0](at('ada'), HOSTS, 1);
    await asked();
    expect(await workers[1](at('bob'), HOSTS, 1)).to.equal('mailbox_not_asked');
    speak();
    expect(await first).to.equal('mailbox_accepted');
    expect(server.sessions.count).to.equal(1);
  });
});

const A_LOCAL = { A: ['127.0.0.1'] };
