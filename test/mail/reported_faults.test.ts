import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { BrowserLike, owner, type PageReply } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { smtpSettings, startReceiver, tokenIn, type MailReceiver } from './mail_receiver.ts';
import { addressOf, provenOwner } from './proven_owner.ts';

const CONFIRM = 'Confirm your email address';
const CHOOSE = 'Choose a new password';
const OTHER = 'another horse staple';

/** Faults of such features that are told of other systems, tried here. */
describe('links of mails', () => {
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
  const change = (browser: BrowserLike, address: string) =>
    browser.post('/console/account/address/change', { address });
  const confirm = (token: string) => anybody().post('/mail/confirm', { token });
  const set = (token: string, password = OTHER) =>
    anybody().post('/mail/password', { token, password });
  const ask = (name: string) => anybody().post('/mail/forgot', { name });
  const statuses = (replies: readonly PageReply[]) =>
    replies.map(({ status }) => status).toSorted((one, other) => one - other);

  it('confirm an address for one of two accounts that confirm it at once; the other is told', async () => {
    for (const round of [1, 2, 3]) {
      const address = `wanted.${round}.${Date.now()}@example.com`;
      const tokens: string[] = [];
      const ids: number[] = [];
      for (const n of [0, 1]) {
        const { browser, agent } = await owner(platform);
        ids.push(agent.id);
        await change(browser, address);
        const mails = await eventually(
          async () => receiver.mails.filter(({ to }) => to.includes(address)),
          ({ length }) => length > n,
        );
        tokens.push(tokenIn(mails[n]!));
      }
      const replies = await Promise.all(tokens.map(confirm));
      expect(statuses(replies)).to.deep.equal([200, 422]);
      expect(replies.find(({ status }) => status === 422)!.text).to.include('is taken');
      const holders = await Promise.all(ids.map((id) => addressOf(platform, id)));
      expect(holders.filter((one) => one === address)).to.have.length(1);
    }
  });

  it('do nothing for a program that opens them first, by GET or by HEAD', async () => {
    const { agent, browser, address } = await provenOwner(platform);
    const other = `opened.${agent.id}@example.com`;
    await change(browser, other);
    await ask(agent.username);
    const links = [
      `/mail/confirm?token=${tokenIn(await receiver.find(other, CONFIRM))}`,
      `/mail/password?token=${tokenIn(await receiver.find(address, CHOOSE))}`,
    ];
    for (const link of links) {
      for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
        const reply = await fetch(platform.url + link, {
          method,
          headers: { accept: 'text/html' },
        });
        expect(reply.status, `${method} ${link}`).to.equal(200);
        expect(reply.headers.get('referrer-policy')).to.be.oneOf(['no-referrer', 'same-origin']);
        expect(reply.headers.get('cache-control')).to.equal('no-store');
      }
    }
    expect(await addressOf(platform, agent.id)).to.equal(address);
    expect((await set(links[1]!.slice(-43))).status).to.equal(200);
  });

  it('set one password when they are sent twice at once', async () => {
    const { agent, address } = await provenOwner(platform);
    await ask(agent.username);
    const token = tokenIn(await receiver.find(address, CHOOSE));
    const passwords = ['one horse staple', 'two horse staple', 'three horse staple'];
    const replies = await Promise.all(passwords.map((password) => set(token, password)));
    expect(statuses(replies)).to.deep.equal([200, 404, 404]);
    const good = passwords[replies.findIndex(({ status }) => status === 200)]!;
    expect((await anybody().signIn(agent.username, { secret: good })).status).to.equal(303);
  });

  it('say that the address is confirmed when the button is pressed twice', async () => {
    const { agent, browser } = await owner(platform);
    await browser.post('/console/account/address/prove', {});
    const token = tokenIn(await receiver.find(await addressOf(platform, agent.id), CONFIRM));
    const replies = await Promise.all([confirm(token), confirm(token)]);
    replies.push(await confirm(token));
    for (const { status, text } of replies) {
      expect(status).to.equal(200);
      expect(text).to.include('is confirmed');
    }
  });

  it('to another address end with the password that somebody else knew', async () => {
    const ways: ((browser: BrowserLike, username: string, address: string) => Promise<void>)[] = [
      async (_browser, username, address) => {
        await ask(username);
        const token = tokenIn(await receiver.find(address, CHOOSE));
        expect((await set(token)).status).to.equal(200);
      },
      async (browser) => {
        const fields = { secret: 'correct horse battery', password: OTHER };
        expect((await browser.post('/console/account/password', fields)).status).to.equal(200);
      },
    ];
    for (const way of ways) {
      const { agent, browser, address } = await provenOwner(platform);
      const thief = anybody();
      await thief.signIn(agent.username);
      const evil = `thief.${agent.id}@example.com`;
      expect((await change(thief, evil)).status).to.equal(200);
      const token = tokenIn(await receiver.find(evil, CONFIRM));
      await way(browser, agent.username, address);
      expect((await confirm(token)).status).to.equal(404);
      expect(await addressOf(platform, agent.id)).to.equal(address);
    }
  });

  it('for a password end when the address changes', async () => {
    const { agent, browser, address } = await provenOwner(platform);
    await ask(agent.username);
    const token = tokenIn(await receiver.find(address, CHOOSE));
    const other = `next.${agent.id}@example.com`;
    await change(browser, other);
    expect((await confirm(tokenIn(await receiver.find(other, CONFIRM)))).status).to.equal(200);
    expect((await set(token)).status).to.equal(404);
  });
});
