import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { withAppCodes } from '../console/account/authenticator.ts';
import { asOwner } from '../as_owner.ts';
import { BrowserLike, owner, type PageReply } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { smtpSettings, startReceiver, tokenIn, type MailReceiver } from './mail_receiver.ts';
import { provenOwner } from './proven_owner.ts';

const OTHER = 'another horse staple';
const LINK = 'Choose a new password';

describe('a password that a mailed link resets', () => {
  let receiver: MailReceiver;
  let platform: TestPlatform;
  before(async () => {
    receiver = await startReceiver();
    platform = await TestPlatform.open({ env: smtpSettings(receiver) });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await receiver.close();
  });

  const anybody = () => new BrowserLike(platform);
  const ask = (name: string) => anybody().post('/mail/forgot', { name });
  const set = (token: string, fields: Record<string, string> = {}) =>
    anybody().post('/mail/password', { token, password: OTHER, ...fields });
  const signIn = async (username: string, secret?: string) =>
    (await anybody().signIn(username, secret === undefined ? {} : { secret })).status;

  async function linked() {
    const made = await provenOwner(platform);
    expect((await ask(made.agent.username)).status).to.equal(200);
    return { ...made, token: tokenIn(await receiver.find(made.address, LINK)) };
  }
  /** Resolves when the question of this name was looked at. */
  const lookedAt = (name: string) =>
    eventually(
      () =>
        platform.query(
          `select status, answer from job where operation = 'mail_password_link'
              and input ->> 'name' = $1 order by id desc limit 1`,
          [name],
        ),
      ([job]) => job?.status === 'complete',
    );

  it('counts at once and once; all sessions end, and the owner is told', async () => {
    const { browser, agent, address, token } = await linked();
    const page = await anybody().get(`/mail/password?token=${token}`);
    expect(page.status).to.equal(200);
    expect(await signIn(agent.username)).to.equal(303);
    const weak = await anybody().submit(page, '/mail/password', { password: 'Password1!' });
    expect(weak.status).to.equal(422);
    expect(weak.text).to.include('It is common, so it is guessed first');
    const done = await anybody().submit(page, '/mail/password', { password: OTHER });
    expect(done.text).to.include('The password is changed');
    expect((await browser.get('/console')).status).to.equal(303);
    expect(await signIn(agent.username)).to.equal(401);
    expect(await signIn(agent.username, OTHER)).to.equal(303);
    expect((await set(token, { password: 'a third one of them' })).status).to.equal(404);
    const told = await receiver.find(address, 'Your password was changed');
    expect(told.text).not.to.include('token=');
    const events = await platform.query(
      `select 1 from event where agent_id = $1 and type = 'agent.password_reset'`,
      [agent.id],
    );
    expect(events).to.have.length(1);
  });

  it('is not mailed to an address that nobody has proven, and the answer is the same', async () => {
    const { agent } = await owner(platform);
    const { address: elsewhere, agent: moved } = await provenOwner(platform);
    await platform.query(
      `update proven_address set address = 'moved.' || address where agent_id = $1`,
      [moved.id],
    );
    const answers = await Promise.all(
      [agent.username, moved.username, 'nobody-of-this-name'].map(ask),
    );
    expect(new Set(answers.map(({ text }) => text.replaceAll(/req_\w+/g, '')))).to.have.property(
      'size',
      1,
    );
    for (const name of [agent.username, moved.username, 'nobody-of-this-name']) {
      const [{ answer }] = await lookedAt(name);
      expect(answer).to.deep.equal({ outcome: 'none' });
    }
    expect(receiver.mails.filter(({ to }) => to.includes(elsewhere))).to.deep.equal([]);
  });

  it('works for one hour, and not after the address or the password has changed', async () => {
    const late = await linked();
    await platform.query(
      `update mail_token set ends_at = now() - interval '1 second' where agent_id = $1`,
      [late.agent.id],
    );
    expect((await set(late.token)).status).to.equal(404);
    const changed = await linked();
    await changed.browser.post('/console/account/password', {
      secret: 'correct horse battery',
      password: 'a third one of them',
    });
    expect((await set(changed.token)).status).to.equal(404);
    expect(await signIn(changed.agent.username, 'a third one of them')).to.equal(303);
  });

  it('ends a sign-in with the password before that is in flight', async () => {
    const { agent, token } = await linked();
    const browser = anybody();
    const waiting = async () => {
      const sql = `select 1 from pg_locks l join pg_stat_activity a using (pid)
                    where not l.granted and a.datname = current_database()`;
      return (await platform.query(sql)).length;
    };
    let replies: Promise<PageReply[]> | undefined;
    let isReset = false;
    const stop = `create function wait_here() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(7); return new; end';
      create trigger wait_here before insert on web_session
        for each row execute function wait_here();
      select pg_advisory_lock(7)`;
    await asOwner(platform, stop, async () => {
      const signing = browser.signIn(agent.username);
      await eventually(waiting, (count) => count === 1);
      const resetting = set(token).finally(() => (isReset = true));
      replies = Promise.all([signing, resetting]);
      await eventually(waiting, (count) => isReset || count === 2);
    });
    const statuses = (await replies!).map(({ status }) => status);
    await asOwner(platform, 'drop trigger wait_here on web_session; drop function wait_here()');
    expect(statuses).to.deep.equal([303, 200]);
    const home = await browser.get('/console');
    expect([home.status, home.location?.includes('/login')]).to.deep.equal([303, true]);
  });

  it('is of its own account, and never proves an address', async () => {
    const { token, agent } = await linked();
    const other = await linked();
    expect((await set(token)).status).to.equal(200);
    expect(await signIn(other.agent.username)).to.equal(303);
    expect(await signIn(agent.username, OTHER)).to.equal(303);
    expect((await anybody().post('/mail/confirm', { token: other.token })).status).to.equal(404);
  });

  it('needs the code of an app too, where the owner has one', async () => {
    const { browser, agent, address } = await provenOwner(platform);
    const { recovery } = await withAppCodes(browser);
    await ask(agent.username);
    const token = tokenIn(await receiver.find(address, LINK));
    expect((await anybody().get(`/mail/password?token=${token}`)).text).to.include('name="code"');
    expect((await set(token)).status).to.equal(401);
    expect((await set(token, { code: '000000' })).status).to.equal(401);
    expect((await set(token, { code: recovery[0]! })).status).to.equal(200);
  });

  it('stops a reset by a key that waits', async () => {
    const { agent, token } = await linked();
    const body = { password: 'the one of a thief' };
    const route = 'POST /api/v1/agent/password-reset';
    expect((await platform.request(route, { key: agent.key, body })).status).to.equal(200);
    expect((await set(token)).status).to.equal(200);
    const sql = `select status from password_reset where agent_id = $1`;
    expect(await platform.query(sql, [agent.id])).to.deep.equal([{ status: 'stopped' }]);
  });

  it('is mailed three times an hour at most, without telling whoever asks', async () => {
    const { agent, address } = await provenOwner(platform);
    for (let n = 0; n < 4; n += 1) {
      expect((await ask(agent.username)).status).to.equal(200);
      await lookedAt(agent.username);
    }
    await eventually(
      () =>
        platform.query(
          `select 1 from job where operation = 'mail_password_link' and status = 'complete'
              and input ->> 'name' = $1`,
          [agent.username],
        ),
      ({ length }) => length === 4,
    );
    const sql = `select 1 from mail where agent_id = $1 and kind = 'password_link'`;
    expect(await platform.query(sql, [agent.id])).to.have.length(3);
    await receiver.find(address, LINK);
  });
});
