import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

import { textOf } from '../../shared/domains/mail/texts.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { BadSettings } from '../../shared/platform/config/environment.ts';
import { BrowserLike, owner } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { smtpSettings, startReceiver, type MailReceiver } from './mail_receiver.ts';

const LINK = 'Confirm your email address';

describe('mails', () => {
  let receiver: MailReceiver;
  let platform: TestPlatform;
  before(async () => {
    receiver = await startReceiver();
    platform = await TestPlatform.open({ env: smtpSettings(receiver) });
  });
  after(async () => {
    await platform.close();
    await receiver.close();
  });

  async function asked(browser: BrowserLike, agentId: number) {
    await browser.post('/console/account/address/prove', {});
    const [{ email }] = await platform.query('select email from agent where id = $1', [agentId]);
    return email as string;
  }
  const mailOf = async (agentId: number) =>
    (await platform.query('select * from mail where agent_id = $1', [agentId]))[0];

  it('are sent once, as text and as HTML, with an id of their cause', async () => {
    const { browser, agent } = await owner(platform);
    const to = await asked(browser, agent.id);
    const mail = await receiver.find(to, LINK);
    expect(mail.from).to.equal('market@market.example.com');
    expect(mail.headers.get('message-id')).to.match(/^<[\da-f]{40}@market\.example\.com>$/);
    expect(mail.headers.get('auto-submitted')).to.equal('auto-generated');
    expect(mail.text).to.include(`Hello ${agent.username},`);
    expect(mail.html).to.include(`<p>Hello ${agent.username},</p>`);
    await eventually(
      () => mailOf(agent.id),
      ({ status }) => status === 'sent',
    );
    expect(receiver.mails.filter((one) => one.to.includes(to))).to.have.length(1);
  });

  it('are sent again with the same id while the server does not take them', async () => {
    const { browser, agent } = await owner(platform);
    receiver.refuse = { code: 451, text: '4.3.0 busy' };
    const before = receiver.attempts();
    const to = await asked(browser, agent.id);
    await eventually(
      async () => receiver.attempts(),
      (attempts) => attempts > before,
    );
    expect((await mailOf(agent.id)).status).to.equal('waiting');
    receiver.refuse = undefined;
    const soon = () =>
      platform.query(
        `update job set run_at = now(), push_after = null
          where operation = 'send_mail' and status = 'pending' and run_at > now()
            and agent_id = $1`,
        [agent.id],
      );
    await eventually(
      async () => {
        await soon();
        return mailOf(agent.id);
      },
      ({ status }) => status === 'sent',
    );
    await receiver.find(to, LINK);
  });

  it('are given up when the server refuses them for good', async () => {
    const { browser, agent } = await owner(platform);
    receiver.refuse = { code: 554, text: '5.7.1 not here' };
    await asked(browser, agent.id);
    const mail = await eventually(
      () => mailOf(agent.id),
      ({ status }) => status !== 'waiting',
    );
    receiver.refuse = undefined;
    expect([mail.status, mail.fault.includes('not here')]).to.deep.equal(['refused', true]);
  });

  it('hold the texts of others as one escaped line, never as a header', () => {
    const name = 'x\r\nBcc: evil@example.com\u202e<b>&';
    const made = textOf({
      kind: 'approval',
      data: {
        username: 'ada',
        notices: [
          {
            type: 'approval.requested',
            at: '2026-11-20T10:30:40.436Z',
            agent: name,
            amount: 3,
            id: 1,
          },
        ],
      },
      publicUrl: 'https://market.example.com',
      link: 'https://market.example.com/console/todo',
      unsubscribeUrl: undefined,
    });
    expect(made.subject).to.equal('x Bcc: evil@example.com[U+202E]<b>& asks to spend $3.00');
    expect(made.text).to.include('evil@example.com[U+202E]<b>& asks');
    expect(made.html).to.include('evil@example.com[U+202E]&lt;b&gt;&amp; asks');
    expect(made.html).not.to.include('<b>');
  });

  it('are off in production without SMTP_URL, which the checks say', () => {
    const secrets = {
      DATABASE_URL: 'postgres://app:dhK28sjq0Lw@db/market',
      REDIS_URL: 'redis://:sjd72hQk2Zp@redis:6379',
      MASTER_KEYS: newMasterKey('k1'),
      OPERATOR_TOKEN: 'b3c19f0e7a5d42868d1f6a2c',
      PUBLIC_URL: 'https://market.example.com',
      NODE_ENV: 'production',
    };
    const { mail, selfChecks } = readConfig(secrets);
    expect(mail.mode).to.equal('off');
    const check = selfChecks.find(({ name }) => name === 'mail');
    expect([check?.status, check?.message.includes('SMTP_URL')]).to.deep.equal(['warning', true]);
    const bad = (env: Record<string, string>) => () => readConfig({ ...secrets, ...env });
    expect(bad({ SMTP_URL: 'smtps://u:sesame@127.0.0.1' })).to.throw(
      BadSettings,
      'MAIL_FROM must be an address',
    );
    try {
      bad({ SMTP_URL: 'smtp://u:sesame@mail.example.com/x', MAIL_FROM: 'a@example.com' })();
      expect.fail('it was taken');
    } catch (error) {
      expect(String(error)).to.include('SMTP_URL must end after').and.not.to.include('sesame');
    }
  });
});

/** Asks for the mailbox by this name. */
const askAs = async (url: string, host: string) => {
  const sent = request(`${url}/console/mailbox`, { headers: { host, accept: 'text/html' } });
  sent.end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, text: await text(reply) };
};

describe('the mailbox of a developer', () => {
  it('shows mails with their links where none are sent', async () => {
    const platform = await TestPlatform.open();
    const { browser } = await owner(platform);
    await browser.post('/console/account/address/prove', {});
    const page = await new BrowserLike(platform).get('/console/mailbox');
    expect(page.text)
      .to.include(LINK)
      .and.to.match(/\/mail\/confirm\?token=[\w-]{43}/);
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      const seen = await new BrowserLike(platform).get('/console/mailbox', { [name]: 'x' });
      expect([seen.status, seen.text.includes('token=')], name).to.deep.equal([404, false]);
    }
    // A page of another site has led its own name to this machine.
    const { port } = new URL(platform.url);
    for (const host of ['evil.example.com', `127.0.0.1.evil.example.com:${port}`]) {
      const reply = await askAs(platform.url, host);
      expect([reply.status, reply.text.includes('token=')], host).to.deep.equal([404, false]);
    }
    expect((await askAs(platform.url, `localhost:${port}`)).text).to.include('token=');
    await platform.close();
  });
});
