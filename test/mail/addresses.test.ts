import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { BrowserLike, owner } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { startReceiver, smtpSettings, tokenIn, type MailReceiver } from './mail_receiver.ts';
import { addressOf } from './proven_owner.ts';

const LINK = 'Confirm your email address';

describe('the address of an account', () => {
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

  const isProven = async (id: number) => {
    const sql =
      'select 1 from proven_address p join agent a on a.id = p.agent_id and a.email = p.address where a.id = $1';
    return (await platform.query(sql, [id])).length === 1;
  };
  const anybody = () => new BrowserLike(platform);
  const confirm = (token: string, browser = anybody()) => browser.post('/mail/confirm', { token });
  async function asked() {
    const { browser, agent } = await owner(platform);
    const address = await addressOf(platform, agent.id);
    const reply = await browser.post('/console/account/address/prove', {});
    expect(reply.text).to.include(`A link was sent to ${address}`);
    const mail = await receiver.find(address, LINK);
    return { browser, agent, address, mail, token: tokenIn(mail) };
  }

  it('is proven by a button behind the link, and not by opening it', async () => {
    const { agent, token, address, browser } = await asked();
    const page = await anybody().get(`/mail/confirm?token=${token}`);
    expect([page.status, page.text.includes(address)]).to.deep.equal([200, true]);
    expect(await isProven(agent.id)).to.equal(false);
    expect((await anybody().submit(page, '/mail/confirm')).status).to.equal(200);
    expect(await isProven(agent.id)).to.equal(true);
    expect((await browser.get('/console/account')).text).to.include('is confirmed');
    expect((await browser.post('/console/account/address/prove', {})).status).to.equal(422);
  });

  it('is proven once by a link, for 24 hours, and by the newest link alone', async () => {
    const { token, agent, browser, address } = await asked();
    await browser.post('/console/account/address/prove', {});
    expect((await confirm(token)).status).to.equal(404);
    const [{ id }] = await platform.query(
      'select id from mail_token where agent_id = $1 and used_at is null',
      [agent.id],
    );
    const mails = await eventually(
      async () => receiver.mails.filter((mail) => mail.to.includes(address)),
      ({ length }) => length === 2,
    );
    const token2 = tokenIn(mails[1]!);
    await platform.query(
      `update mail_token set ends_at = now() - interval '1 second' where id = $1`,
      [id],
    );
    expect((await confirm(token2)).status).to.equal(404);
    await platform.query(
      `update mail_token set ends_at = now() + interval '1 hour' where id = $1`,
      [id],
    );
    expect((await confirm(token2)).status).to.equal(200);
    await browser.post('/console/account/address/change', { address: `next.${address}` });
    await confirm(tokenIn(await receiver.find(`next.${address}`, LINK)));
    expect((await confirm(token2)).status).to.equal(404);
    expect(await addressOf(platform, agent.id)).to.equal(`next.${address}`);
  });

  it('keeps no token: neither in the database nor in a job', async () => {
    const { token } = await asked();
    const tables = ['mail', 'mail_token', 'job'];
    for (const table of tables) {
      const found = await platform.query(`select 1 from ${table} t where t::text like $1`, [
        `%${token}%`,
      ]);
      expect(found, table).to.deep.equal([]);
    }
  });

  it('is not proven by a link for a password, nor by one from another site', async () => {
    const { token } = await asked();
    const crossed = await anybody().post(
      '/mail/confirm',
      { token },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(crossed.status).to.equal(403);
    expect((await anybody().get(`/mail/password?token=${token}`)).status).to.equal(404);
    const set = await anybody().post('/mail/password', {
      token,
      password: 'another horse staple',
    });
    expect(set.status).to.equal(404);
  });

  it('changes when the other one is confirmed, and both are told', async () => {
    const { browser, agent, token, address } = await asked();
    await confirm(token);
    const other = `other.${agent.id}@example.com`;
    const reply = await browser.post('/console/account/address/change', { address: other });
    expect(reply.text).to.include(`A link was sent to ${other}`);
    const told = await receiver.find(address, 'Your email address is about to change');
    expect(told.text).to.include(other);
    expect(told.text).not.to.include('token=');
    expect(await addressOf(platform, agent.id)).to.equal(address);
    await confirm(tokenIn(await receiver.find(other, LINK)));
    expect([await addressOf(platform, agent.id), await isProven(agent.id)]).to.deep.equal([
      other,
      true,
    ]);
    await receiver.find(address, 'Your email address was changed');
  });

  it('changes after a fresh proof only, to an address that no other account has', async () => {
    const { browser, agent } = await owner(platform);
    const { agent: neighbour } = await owner(platform);
    const taken = await addressOf(platform, neighbour.id);
    const change = (address: string) =>
      browser.post('/console/account/address/change', { address });
    const refused = await change(taken);
    expect([refused.status, refused.text.includes('is taken')]).to.deep.equal([422, true]);
    expect((await change('nobody at all')).status).to.equal(422);
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    const question = await change(`new.${agent.id}@example.com`);
    expect([question.status, question.text.includes('Prove that it is you')]).to.deep.equal([
      403,
      true,
    ]);
  });

  it('says what a misspelt domain probably means', async () => {
    const { browser, agent } = await owner(platform);
    const change = (address: string) =>
      browser.post('/console/account/address/change', { address });
    const meant = await change(`ada.${agent.id}@gmial.com`);
    expect(meant.text).to.include(`Did you mean ada.${agent.id}@gmail.com?`);
    expect((await change(`ada.${agent.id}@gmail.com`)).text).not.to.include('Did you mean');
    expect((await change(`ada.${agent.id}@hotmail.co.uk`)).text).not.to.include('Did you mean');
  });

  it('is shown as one that mails do not reach, the pending one too, until one is taken', async () => {
    const { browser, agent, address, token } = await asked();
    await confirm(token);
    const shown = async () => (await browser.get('/console/account')).text;
    const ended = (to: string, count: number) =>
      eventually(
        () =>
          platform.query(
            `select status from mail where agent_id = $1 and recipient = $2 and status <> 'waiting'
              order by id`,
            [agent.id, to],
          ),
        ({ length }) => length === count,
      );
    await ended(address, 1);
    expect(await shown()).not.to.include('Mails do not reach');

    // Both are refused: what tells the present address of the change, and the link to the other.
    const other = `typo.${agent.id}@example.com`;
    for (const to of [address, other]) receiver.refusedRecipients.set(to, 550);
    const change = () => browser.post('/console/account/address/change', { address: other });
    expect((await change()).status).to.equal(200);
    expect((await ended(address, 2)).at(-1).status).to.equal('refused');
    expect((await ended(other, 1)).at(-1).status).to.equal('refused');
    const both = await shown();
    expect(both).to.include(`Mails do not reach ${address}.`);
    expect(both).to.include(`Mails do not reach ${other}.`).and.include('Correct the address');
    // Nobody else is told of it, and nothing else of the console is changed.
    const { browser: neighbour } = await owner(platform);
    expect((await neighbour.get('/console/account')).text).not.to.include('Mails do not reach');
    expect((await browser.get('/console/todo')).text).not.to.include('Mails do not reach');

    receiver.refusedRecipients.delete(address);
    expect((await change()).status).to.equal(200);
    expect((await ended(address, 3)).at(-1).status).to.equal('sent');
    await ended(other, 2);
    const one = await shown();
    expect(one).not.to.include(`Mails do not reach ${address}.`);
    expect(one).to.include(`Mails do not reach ${other}.`);
    receiver.refusedRecipients.clear();
  });

  it('is sent six links an hour, and ten a day whoever asks', async () => {
    const { browser } = await owner(platform);
    const prove = () => browser.post('/console/account/address/prove', {});
    for (let sent = 0; sent < 6; sent += 1) expect((await prove()).status).to.equal(200);
    expect((await prove()).status).to.equal(429);
    const victim = 'victim@example.com';
    const statuses: number[] = [];
    for (const _ of [1, 2]) {
      const { browser: one } = await owner(platform);
      for (let n = 0; n < 6; n += 1) {
        const { status } = await one.post('/console/account/address/change', { address: victim });
        statuses.push(status);
      }
    }
    expect(statuses.filter((status) => status === 200)).to.have.length(10);
  });
});
