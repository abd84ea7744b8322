import { expect } from 'chai';

import { challengeFor, endOf } from '../../../api/console/session/challenges.ts';
import { TestPlatform } from '../../harness.ts';
import { BrowserLike, owner } from '../browser_like.ts';
import { partsAgo } from './authenticator.ts';
import { ORIGIN, SoftPasskey } from './soft_passkey.ts';

const SIGN_IN = { what: 'sign in', sessionId: 0 } as const;

describe('what a passkey has signed', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { PUBLIC_URL: ORIGIN } });
  });
  after(() => platform.close());

  const challenge = (purpose: Parameters<typeof challengeFor>[1] = SIGN_IN) =>
    challengeFor(platform.context, purpose);
  const signIn = (answer: string) =>
    new BrowserLike(platform).post('/console/login', { _passkey: answer, next: '/console' });
  const sessionOf = async (agentId: number): Promise<number> =>
    Number(
      (await platform.query('select id from web_session where agent_id = $1', [agentId]))[0].id,
    );

  it('signs its owner in, once, however many send it at once', async () => {
    const agent = await platform.agent();
    const key = await new SoftPasskey(agent.id).keep(platform);
    const answer = key.answer({ challenge: challenge() });
    const replies = await Promise.all([1, 2, 3].map(() => signIn(answer)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([303, 401, 401]);
    expect((await signIn(answer)).status).to.equal(401);
    expect((await signIn(key.answer({ challenge: challenge() }))).status).to.equal(303);
  });

  it('signs nobody in who is locked out by no fault of its own', async () => {
    const agent = await platform.agent();
    const key = await new SoftPasskey(agent.id).keep(platform);
    const guess = () => new BrowserLike(platform).signIn(agent.username, { secret: 'a guess 12' });
    for (let n = 0; n < 10; n += 1) await guess();
    expect((await guess()).status).to.equal(429);
    expect((await signIn(key.answer({ challenge: challenge() }))).status).to.equal(303);
  });

  it('is worth nothing from another origin or party, unverified, or for something else', async () => {
    const { agent } = await owner(platform);
    const key = await new SoftPasskey(agent.id).keep(platform);
    const old = challengeFor(partsAgo(platform, 6 * 60_000), SIGN_IN);
    const id = await sessionOf(agent.id);
    for (const [what, use] of Object.entries({
      'another origin': { origin: 'http://localhost:3001' },
      'another host': { origin: 'http://evil.example' },
      'another party': { party: 'evil.example' },
      'without its person': { flags: 0x01 },
      'the making of one': { type: 'webauthn.create' },
      'of another owner': { handle: 'owner-0' },
      'a challenge of nobody': { challenge: new Uint8Array(56) },
      'a challenge that is over': { challenge: old },
      'a challenge to prove': { challenge: challenge({ what: 'prove', sessionId: id }) },
      'a challenge to add': { challenge: challenge({ what: 'add', sessionId: id }) },
    })) {
      const reply = await signIn(key.answer({ challenge: challenge(), ...use }));
      expect(reply.status, what).to.equal(401);
    }
    const unknown = new SoftPasskey(agent.id);
    expect((await signIn(unknown.answer({ challenge: challenge() }))).status).to.equal(401);
    for (const text of ['{}', 'null', '[]', 'x', '{"id":1}']) {
      expect((await signIn(text)).status, text).to.equal(401);
    }
    expect((await signIn(key.answer({ challenge: challenge() }))).status).to.equal(303);
  });

  it('is worth nothing where its device has counted less than before', async () => {
    const agent = await platform.agent();
    const key = await new SoftPasskey(agent.id).keep(platform, 7);
    for (const [counter, status] of [
      [7, 401],
      [3, 401],
      [0, 401],
      [8, 303],
      [8, 401],
    ] as const) {
      const answer = key.answer({ challenge: challenge(), counter });
      expect((await signIn(answer)).status, String(counter)).to.equal(status);
    }
    const two = [1, 2].map(() => signIn(key.answer({ challenge: challenge(), counter: 9 })));
    const statuses = (await Promise.all(two)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([303, 401]);
  });

  it('signs in from each device that it is synced to, whatever that one counts', async () => {
    const agent = await platform.agent();
    const key = await new SoftPasskey(agent.id).keep(platform, 7);
    const SYNCED = 0x1d; // Present, verified, may be backed up, and is.
    for (const [counter, flags, status] of [
      [3, SYNCED, 303],
      [0, SYNCED, 303],
      [7, SYNCED, 303],
      [7, 0x0d, 401],
      [8, 0x0d, 303],
    ] as const) {
      const answer = key.answer({ challenge: challenge(), counter, flags });
      expect((await signIn(answer)).status, `${counter} ${flags}`).to.equal(status);
    }
  });

  it('is a fresh proof of its own owner in its own session, and adds and removes none of others', async () => {
    const { browser, agent } = await owner(platform);
    const { agent: other, browser: others } = await owner(platform);
    const key = await new SoftPasskey(agent.id).keep(platform);
    const foreign = await new SoftPasskey(other.id).keep(platform);
    await platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);
    const prove = { what: 'prove', sessionId: await sessionOf(agent.id) } as const;
    const make = async (answer: string) => {
      const fields = { name: 'made', scopes: 'read', _passkey: answer };
      return (await browser.post('/console/do/create_key', fields)).status;
    };
    expect(await make(foreign.answer({ challenge: challenge(prove) }))).to.equal(401);
    expect(await make(key.answer({ challenge: challenge() }))).to.equal(401);
    const elsewhere = { ...prove, sessionId: await sessionOf(other.id) };
    expect(await make(key.answer({ challenge: challenge(elsewhere) }))).to.equal(401);
    expect(await make(key.answer({ challenge: challenge(prove) }))).to.be.oneOf([200, 303]);

    const [{ id }] = await platform.query('select id from passkey where agent_id = $1', [agent.id]);
    await platform.query('update web_session set proved_at = now()');
    for (const path of ['remove', 'rename']) {
      const fields = { passkey: String(id), name: 'taken' };
      const reply = await others.post(`/console/account/passkeys/${path}`, fields);
      expect(reply.status).to.equal(404);
    }
    const [{ name }] = await platform.query('select name from passkey where id = $1', [id]);
    expect(name).to.equal('soft');
  });

  it('is asked for by a challenge that says until when', () => {
    const asked = Buffer.from(challenge()).toString('base64url');
    const left = endOf(platform.context, asked, SIGN_IN)!.getTime() - Date.now();
    expect(left).to.be.within(4 * 60_000, 5 * 60_000 + 5_000);
    const changed = (asked.startsWith('A') ? 'B' : 'A') + asked.slice(1);
    for (const text of ['', 'x', asked.slice(0, -2), changed]) {
      expect(endOf(platform.context, text, SIGN_IN), text).to.equal(undefined);
    }
  });
});

describe('where a marketplace has no name', () => {
  it('the page of the account says that passkeys need one', async () => {
    const env = { PUBLIC_URL: 'http://127.0.0.1:3000' };
    const platform = await TestPlatform.open({ workers: false, env });
    try {
      const { browser } = await owner(platform);
      const { text } = await browser.get('/console/account');
      expect(text).to.include('Passkeys belong to a name').and.not.include('data-passkey=');
      expect((await browser.get('/console/login')).text).not.to.include('data-passkey=');
    } finally {
      await platform.close();
    }
  });
});
