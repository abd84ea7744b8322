import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { BrowserLike } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { smtpSettings, startReceiver, tokenIn, type MailReceiver } from './mail_receiver.ts';
import { prove, provenOwner } from './proven_owner.ts';

const CHOOSE = 'Choose a new password';
const OTHER = 'another horse staple';

/** Faults of such features that are told of other systems: what asks for mails, and stops them. */
describe('requests about mails', () => {
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
  const set = (token: string) => anybody().post('/mail/password', { token, password: OTHER });
  const ask = (name: string) => anybody().post('/mail/forgot', { name });
  async function proven(email: string): Promise<void> {
    const { agent } = await registered(email);
    await prove(platform, agent.id);
  }
  async function registered(email: string) {
    const username = `a${randomUUID().slice(0, 12)}`;
    const body = { username, email, password: 'correct horse battery' };
    const { body: made } = await platform.request('POST /api/v1/agent/register', { body });
    return { agent: { id: made.agent_id as number, username }, browser: anybody() };
  }

  it('lead to this marketplace by their links, whatever host the request names', async () => {
    const { agent, address } = await provenOwner(platform);
    const status = await new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(platform.url);
      const sent = request({
        hostname,
        port,
        method: 'POST',
        path: '/mail/forgot',
        headers: {
          host: 'evil.example.com',
          'x-forwarded-host': 'evil.example.com',
          'x-forwarded-proto': 'https',
          forwarded: 'host=evil.example.com',
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
      });
      sent.on('response', (reply) => {
        reply.resume();
        resolve(reply.statusCode!);
      });
      sent.on('error', reject);
      sent.end(`name=${agent.username}`);
    });
    expect(status).to.be.oneOf([200, 400, 403, 421]);
    if (status !== 200) await ask(agent.username);
    const mail = await receiver.find(address, CHOOSE);
    expect(mail.text + mail.html).not.to.include('evil');
    expect(mail.text).to.include(`${platform.config.api.publicUrl}/mail/password?token=`);
  });

  it('for a password come by any spelling of the address, to the one that is proven', async () => {
    const spellings = [
      ['ada+market@example.com', 'ADA+Market@Example.COM'],
      ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
      ['eve@xn--bcher-kva.example', ' eve@BÜCHER.example '],
      ['zo\u00eb@example.com', 'zoe\u0308@example.com'],
    ] as const;
    for (const [address, spelling] of spellings) {
      await proven(address);
      expect((await ask(spelling)).status).to.equal(200);
      const mails = await eventually(
        () =>
          platform.query(
            `select kind from mail where recipient = $1 and status in ('sent', 'refused')`,
            [address],
          ),
        ({ length }) => length > 0,
      );
      expect(mails, spelling).to.deep.equal([{ kind: 'password_link' }]);
    }
    // Kelvin sign, dotless i: letters that some systems take for others.
    await proven('kim@example.com');
    for (const spelling of ['\u212aim@example.com', 'k\u0131m@example.com']) {
      expect((await ask(spelling)).status).to.equal(200);
      await eventually(
        () =>
          platform.query(
            `select 1 from job where operation = 'mail_password_link' and status = 'complete'
                and input ->> 'name' = $1`,
            [spelling],
          ),
        ({ length }) => length === 1,
      );
    }
    const others = receiver.mails.flatMap(({ to }) => to).filter((to) => /im@/.test(to));
    expect(others.every((to) => to === 'kim@example.com')).to.equal(true);
  });

  it('that are flooded leave the last one working', async () => {
    const { agent, address } = await provenOwner(platform);
    for (const _ of [1, 2, 3, 4, 5]) await ask(agent.username);
    await eventually(
      () =>
        platform.query(
          `select 1 from job where operation = 'mail_password_link' and status = 'complete'
              and input ->> 'name' = $1`,
          [agent.username],
        ),
      ({ length }) => length === 5,
    );
    const [live] = await platform.query(
      'select id from mail_token where agent_id = $1 and used_at is null',
      [agent.id],
    );
    const last = await eventually(
      async () => {
        const tokens = receiver.mails.filter(({ to }) => to.includes(address)).map(tokenIn);
        const pages = await Promise.all(
          tokens.map((token) => anybody().get(`/mail/password?token=${token}`)),
        );
        return tokens.filter((_, n) => pages[n]!.status === 200);
      },
      ({ length }) => length === 1,
    );
    expect(live).not.to.equal(undefined);
    expect((await set(last[0]!)).status).to.equal(200);
  });

  it('are not made for who has no account, however long or strange the name is', async () => {
    for (const nothing of ['', ' ']) expect((await ask(nothing)).status).to.equal(422);
    const names = [
      `${'a'.repeat(253)}\u{1f600}`,
      'x'.repeat(5_000),
      "'; drop table agent; --",
      '<b>ada</b>@example.com',
      '%',
      'ada@example.com,eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
    ];
    for (const name of names) {
      const reply = await ask(name);
      expect([reply.status, reply.text.includes('Look into your mailbox')], name).to.deep.equal([
        200,
        true,
      ]);
    }
  });

  it('that stop notices work for mail programs of each kind, and again', async () => {
    const { agent, address } = await provenOwner(platform);
    await platform.query(
      `insert into notice (agent_id, kind, cause, data) values ($1, 'sign_in', 'x', $2)`,
      [agent.id, JSON.stringify({ type: 'sign_in', at: new Date().toISOString(), id: agent.id })],
    );
    await runTimer(platform, 'mail_notices');
    const mail = await receiver.find(address, 'New sign-in to your account');
    const link = mail.headers.get('list-unsubscribe')!.replaceAll(/[<>\s]/g, '');
    const url = platform.url + link.slice(new URL(link).origin.length);
    const off = async () =>
      (await platform.query('select 1 from notice_off where agent_id = $1', [agent.id])).length;
    for (const method of ['HEAD', 'GET']) {
      expect((await fetch(url, { method, headers: { accept: 'text/html' } })).status).to.equal(200);
    }
    expect(await off()).to.equal(0);
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const urlEncoded = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    for (const body of [form, urlEncoded, undefined]) {
      expect((await fetch(url, { method: 'POST', body: body! })).status).to.equal(200);
      expect(await off()).to.equal(1);
    }
  });
});
