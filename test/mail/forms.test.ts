// test:all: every form of these pages is sent.
import { expect } from 'chai';

import { withAppCodes } from '../console/account/authenticator.ts';
import { BrowserLike, formsOf, owner, type PageReply } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { smtpSettings, startReceiver, tokenIn, type MailReceiver } from './mail_receiver.ts';

const WRONG = [
  '',
  ' ',
  'x',
  'nobody at all',
  '\u0000',
  '<script>alert(1)</script>',
  `${'a'.repeat(252)}\u{1f600}`,
  'y'.repeat(20_000),
];

/** No passwords: any text of the right length is one. */
const SHORT_OR_LONG = WRONG.filter(({ length }) => length < 8 || length > 128);

describe('the forms of pages about mail', () => {
  let receiver: MailReceiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  /** Words that a person reads: a sentence below a heading, in an alert or in a status. */
  const sentencesIn = ({ text }: PageReply) =>
    [...text.matchAll(/<(?:p|strong)[^>]*>(.*?)<\/(?:p|strong)>/gs)]
      .map(([, inner]) => inner!.replaceAll(/<[^>]*>/g, '').trim())
      .filter((words) => /\s.*[.?!]$/s.test(words));

  /** Sends a form with each wrong value in each field, empty, without fields, and twice. */
  async function sendWrong(
    browser: BrowserLike,
    [path, action]: readonly [string, string],
    wrong = WRONG,
  ): Promise<void> {
    const page = await browser.get(path);
    const form = formsOf(page.text).find((one) => one.action === action);
    expect(form, `${action} in ${path}`).not.to.equal(undefined);
    const names = Object.keys(form!.fields);
    const changes: (readonly [string, Record<string, string | readonly string[]>])[] = [
      ['no fields', {}],
      ['empty', Object.fromEntries(names.map((name) => [name, '']))],
      ...names.flatMap((name) => [
        ...wrong.map(
          (value) =>
            [`${name}: ${value.slice(0, 30)}`, { ...form!.fields, [name]: value }] as const,
        ),
        [`${name} twice`, { ...form!.fields, [name]: ['one', 'two'] }] as const,
      ]),
    ];
    for (const [what, fields] of changes) {
      const reply = await browser.post(action, fields);
      const about = `${action} with ${what}: ${reply.status}`;
      expect(reply.status, about).to.be.below(500);
      expect(reply.status, about).not.to.equal(303);
      expect(sentencesIn(reply), about).not.to.deep.equal([]);
    }
  }

  it('answer whatever is sent by a sentence, and then do what is right', async () => {
    const platform = await TestPlatform.open({ env: smtpSettings(receiver) });
    const { browser, agent } = await owner(platform);
    const anybody = new BrowserLike(platform);
    const [{ email }] = await platform.query('select email from agent where id = $1', [agent.id]);
    const tokenOf = async (subject: string) => tokenIn(await receiver.find(email, subject));

    await sendWrong(browser, ['/console/account', '/console/account/address/change']);
    await browser.post('/console/account/address/prove', {});
    const proof = `/mail/confirm?token=${await tokenOf('Confirm your email address')}`;
    await sendWrong(anybody, [proof, '/mail/confirm']);
    const confirmed = await anybody.submit(await anybody.get(proof), '/mail/confirm');
    expect(confirmed.text).to.include('is confirmed');
    await sendWrong(browser, ['/console/account', '/console/account/notices']);
    const account = await browser.get('/console/account');
    const saved = await browser.submit(account, '/console/account/notices', { sign_in: 'on' });
    expect(saved.text).to.include('Saved.');

    await new BrowserLike(platform).signIn(agent.username);
    await runTimer(platform, 'mail_notices');
    const notice = await receiver.find(email, 'New sign-in to your account');
    const [, stop = ''] = /\/(mail\/unsubscribe\?of=\S+)/.exec(notice.text) ?? [];
    await sendWrong(anybody, [`/${stop}`, `/${stop}`]);
    for (const of of ['', 'x', `${agent.id}.sign_in.x`, '%00', '1.1.1']) {
      for (const reply of [
        await anybody.get(`/mail/unsubscribe?of=${of}`),
        await anybody.post(`/mail/unsubscribe?of=${of}`, {}),
      ]) {
        expect([reply.status, sentencesIn(reply).length > 0], of).to.deep.equal([404, true]);
      }
    }

    await sendWrong(anybody, ['/mail/forgot', '/mail/forgot']);
    const refused = await anybody.post('/mail/forgot', { name: ' ' });
    expect(refused.status).to.equal(422);
    expect(refused.text)
      .to.include('Enter the name or the email address of your account.')
      .and.not.include('on its way');
    await anybody.post('/mail/forgot', { name: agent.username });
    const choose = `/mail/password?token=${await tokenOf('Choose a new password')}`;
    await sendWrong(anybody, [choose, '/mail/password'], SHORT_OR_LONG);
    const page = await anybody.get(choose);
    const set = await anybody.submit(page, '/mail/password', { password: 'another horse staple' });
    expect(set.text).to.include('The password is changed');
    await platform.close();
  });

  it('answer by a sentence where a code is needed too, and where no mail is sent', async () => {
    const platform = await TestPlatform.open({ env: smtpSettings(receiver) });
    const { browser, agent } = await owner(platform);
    const [{ email }] = await platform.query('select email from agent where id = $1', [agent.id]);
    const sql = 'insert into proven_address (agent_id, address) values ($1, $2)';
    await platform.query(sql, [agent.id, email]);
    await withAppCodes(browser);
    const anybody = new BrowserLike(platform);
    await anybody.post('/mail/forgot', { name: agent.username });
    const token = tokenIn(await receiver.find(email, 'Choose a new password'));
    await sendWrong(anybody, [`/mail/password?token=${token}`, '/mail/password'], SHORT_OR_LONG);
    await platform.close();

    const silent = await TestPlatform.open({ env: { PUBLIC_URL: 'https://market.example.com' } });
    expect(silent.config.mail.mode).to.equal('off');
    const nobody = new BrowserLike(silent);
    for (const reply of [
      await nobody.get('/mail/forgot'),
      await nobody.post('/mail/forgot', { name: 'ada' }),
      await nobody.get('/console/mailbox'),
      await nobody.post('/mail/password', { token: 'x' }),
    ]) {
      expect(reply.status).to.be.oneOf([200, 404]);
      expect(sentencesIn(reply)).not.to.deep.equal([]);
    }
    await silent.close();
  });
});
