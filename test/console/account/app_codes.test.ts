import { expect } from 'chai';

import { rootOfName, ticketOf } from '../../../shared/domains/agents/sessions/tickets.ts';
import { TestPlatform } from '../../harness.ts';
import { BrowserLike, owner, PASSWORD } from '../browser_like.ts';
import { Authenticator, partsAgo, recoveryCodesIn, withAppCodes } from './authenticator.ts';

const PATH = '/console/account/codes';

describe('app codes', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const fresh = () => new BrowserLike(platform);
  const growOld = (agentId: number) =>
    platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agentId],
    );
  /** The step after the password, of a browser that was nowhere. */
  async function asked(username: string, browser = fresh()) {
    const page = await browser.signIn(username);
    expect(page.text).to.include('name="ticket"');
    return { browser, give: (code: string) => browser.submit(page, '/console/login', { code }) };
  }
  const eventsOf = (id: number, type: string) =>
    platform.query('select data from event where agent_id = $1 and type = $2 order by id', [
      id,
      type,
    ]);

  it('are on with the first right one, and asked for after the password from then on', async () => {
    const { browser, agent } = await owner(platform);
    const begun = await browser.post(`${PATH}/begin`, {});
    const app = new Authenticator(begun);
    expect(begun.text).to.include('<svg class="qr"');
    expect((await fresh().signIn(agent.username)).status).to.equal(303);
    const wrong = await browser.post(`${PATH}/confirm`, { code: '12345' });
    expect(wrong.status).to.equal(422);
    expect((await fresh().signIn(agent.username)).status).to.equal(303);
    const on = await browser.post(`${PATH}/confirm`, { code: app.code() });
    expect(recoveryCodesIn(on)).to.have.length(10);
    expect((await browser.get('/console/account')).text).not.to.include(app.secret);
    const { browser: other, give } = await asked(agent.username);
    expect(other.cookies.size).to.equal(0);
    expect((await other.get('/console')).status).to.equal(303);
    const done = await give(app.code(1));
    expect([done.status, done.location]).to.deep.equal([303, '/console']);
    expect((await other.get('/console')).status).to.equal(200);
    const told = await eventsOf(agent.id, 'agent.signed_in');
    expect(told.at(-1).data).to.deep.equal({ proof: 'app_code' });
  });

  it('count once each, and the one before the last that counted never', async () => {
    const { browser, agent } = await owner(platform);
    const { app } = await withAppCodes(browser);
    const code = app.code(1);
    const steps = await Promise.all([1, 2, 3].map(() => asked(agent.username)));
    const statuses = (await Promise.all(steps.map(({ give }) => give(code)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([303, 401, 401]);
    expect((await (await asked(agent.username)).give(app.code())).status).to.equal(401);
  });

  it('are replaced by a recovery code, once, however it is typed', async () => {
    const { browser, agent } = await owner(platform);
    const { recovery } = await withAppCodes(browser);
    const typed = recovery[3]!.toUpperCase().replaceAll('-', ' ');
    const steps = await Promise.all([1, 2].map(() => asked(agent.username)));
    const statuses = (await Promise.all(steps.map(({ give }) => give(typed)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([303, 401]);
    expect((await browser.get('/console/account')).text).to.include('9 recovery codes');
    const made = recoveryCodesIn(await browser.post(`${PATH}/recovery`, {}));
    expect((await (await asked(agent.username)).give(recovery[4]!)).status).to.equal(401);
    expect((await (await asked(agent.username)).give(made[4]!)).status).to.equal(303);
  });

  it('are of one owner, and are kept where nobody reads them', async () => {
    const { browser, agent } = await owner(platform);
    const { browser: other, agent: second } = await owner(platform);
    const { app, recovery } = await withAppCodes(browser);
    const theirs = await withAppCodes(other);
    const { give } = await asked(agent.username);
    expect((await give(theirs.app.code(1))).status).to.equal(401);
    expect((await give(theirs.recovery[0]!)).status).to.equal(401);
    const page = await fresh().signIn(second.username);
    const [, ticket] = /name="ticket" value="([^"]+)"/.exec(page.text)!;
    const forged = ticket!.replace(/^\d+/, String(agent.id));
    const sent = { ticket: forged, code: app.code(1), next: '/console' };
    expect((await fresh().post('/console/login', sent)).status).to.equal(401);
    const rows = await platform.query('select * from app_code where agent_id = $1', [agent.id]);
    const codes = await platform.query('select * from recovery_code where agent_id = $1', [
      agent.id,
    ]);
    const kept = JSON.stringify([rows, codes], (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(kept).not.to.include(app.secret).and.not.include(recovery[0]!);
    expect(kept).not.to.include(recovery[0]!.replaceAll('-', ''));
  });

  it('are guessed at no more often than a password, and known browsers go on', async () => {
    const { browser, agent } = await owner(platform);
    const { app } = await withAppCodes(browser);
    // No ten at once: a password that is not yet found to be right counts as a guess.
    const some = () => Promise.all(Array.from({ length: 6 }, () => asked(agent.username)));
    const steps = [...(await some()), ...(await some())];
    const statuses = (await Promise.all(steps.map(({ give }) => give('000000x')))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([...Array(10).fill(401), 429, 429]);
    expect((await (await asked(agent.username)).give(app.code(1))).status).to.equal(429);
    const { give } = await asked(agent.username, browser);
    expect((await give(app.code(1))).status).to.equal(303);
    expect(await eventsOf(agent.id, 'agent.guessed_at')).to.have.length(1);
  });

  it('are asked for no longer than the password before holds', async () => {
    const { browser, agent } = await owner(platform);
    const { app } = await withAppCodes(browser);
    const { give, browser: late } = await asked(agent.username);
    const password = 'another horse staple';
    const changed = await browser.post('/console/account/password', { secret: PASSWORD, password });
    expect(changed.status).to.equal(200);
    const refused = await give(app.code(1));
    expect(refused.status).to.equal(401);
    expect(refused.text).to.include('name="secret"').and.not.include('name="ticket"');
    expect(late.cookies.size).to.equal(0);
  });

  it('are asked for within five minutes of the password', async () => {
    const { browser, agent } = await owner(platform);
    const { app } = await withAppCodes(browser);
    const root = (await rootOfName(platform.context, agent.username))!;
    for (const [minutes, status] of [
      [6, 401],
      [4, 303],
    ] as const) {
      const ticket = ticketOf(partsAgo(platform, minutes * 60_000), root);
      const fields = { ticket, code: app.code(1), next: '/console' };
      expect((await fresh().post('/console/login', fields)).status).to.equal(status);
    }
  });

  it('do not change the password, and are begun anew by nobody while they are on', async () => {
    const { browser, agent } = await owner(platform);
    const { app } = await withAppCodes(browser);
    const fields = { secret: app.code(), password: 'another horse staple' };
    expect((await browser.post('/console/account/password', fields)).status).to.equal(401);
    expect((await browser.post(`${PATH}/begin`, {})).status).to.equal(409);
    const { give } = await asked(agent.username);
    expect((await give(app.code(1))).status).to.equal(303);
  });

  it('are a fresh proof, which turning them off needs', async () => {
    const { browser, agent } = await owner(platform);
    const { app } = await withAppCodes(browser);
    await growOld(agent.id);
    for (const path of ['off', 'recovery']) {
      const question = await browser.post(`${PATH}/${path}`, {});
      expect(question.status).to.equal(403);
      expect(question.text).to.include('the six digits of your app');
    }
    const question = await browser.post(`${PATH}/off`, {});
    const wrong = await browser.submit(question, `${PATH}/off`, { _secret: '000000' });
    expect(wrong.status).to.equal(401);
    expect((await asked(agent.username)).browser.cookies.size).to.equal(0);
    const off = await browser.submit(question, `${PATH}/off`, { _secret: app.code(1) });
    expect(off.status).to.equal(200);
    expect((await fresh().signIn(agent.username)).status).to.equal(303);
    expect(
      await platform.query('select * from recovery_code where agent_id = $1', [agent.id]),
    ).to.deep.equal([]);
  });

  it('are begun by nobody whose proof is old, nor shown to one', async () => {
    const { browser, agent } = await owner(platform);
    const { secret } = new Authenticator(await browser.post(`${PATH}/begin`, {}));
    await growOld(agent.id);
    expect((await browser.get('/console/account')).text).not.to.include(secret);
    expect((await browser.post(`${PATH}/begin`, {})).status).to.equal(403);
  });
});

describe('events about signing in', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('tell an owner of guesses at most once an hour, and nobody of one mistake', async () => {
    const agent = await platform.agent();
    const guess = () => new BrowserLike(platform).signIn(agent.username, { secret: 'a guess 12' });
    const told = async () =>
      (
        await platform.query(
          `select 1 from event where agent_id = $1 and type = 'agent.guessed_at'`,
          [agent.id],
        )
      ).length;
    await guess();
    await guess();
    expect(await told()).to.equal(0);
    await Promise.all([guess(), guess(), guess()]);
    expect(await told()).to.equal(1);
    await platform.query(
      `update guess_notice set told_at = now() - interval '61 minutes' where agent_id = $1`,
      [agent.id],
    );
    await guess();
    expect(await told()).to.equal(2);
  });

  it('are found by the owner, with what was proven', async () => {
    const { agent } = await owner(platform);
    const { body } = await platform.request('GET /api/v1/events?type=agent.signed_in', {
      key: agent.key,
    });
    expect(body.events.map((event: { data: object }) => event.data)).to.deep.equal([
      { proof: 'password' },
    ]);
  });
});
