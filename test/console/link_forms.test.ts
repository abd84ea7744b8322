// test:all: every form that a link leads to is sent.
import { expect } from 'chai';

import { OAuthRig } from '../api/oauth/rig.ts';
import { problemOf, SdkApp } from '../api/oauth/sdk_app.ts';
import { TestPlatform } from '../harness.ts';
import { smtpSettings, startReceiver, tokenIn, type MailReceiver } from '../mail/mail_receiver.ts';
import { prove } from '../mail/proven_owner.ts';
import { runTimer } from '../orders/trade.ts';
import { BrowserLike, owner } from './browser_like.ts';
import { FormFiller } from './fill_forms.ts';

describe('every form that a link leads to', function () {
  this.timeout(120_000);
  let receiver: MailReceiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('of mails is answered in words for people', async () => {
    const platform = await TestPlatform.open({ env: smtpSettings(receiver) });
    const { browser, agent } = await owner(platform);
    const [{ email }] = await platform.query('select email from agent where id = $1', [agent.id]);
    const mailed = (subject: string) => receiver.find(email, subject);
    const filler = new FormFiller(new BrowserLike(platform));
    await browser.post('/console/account/address/prove', {});
    const proof = tokenIn(await mailed('Confirm your email address'));
    await filler.fillIn(`/mail/confirm?token=${proof}`);
    await new BrowserLike(platform).signIn(agent.username);
    await runTimer(platform, 'mail_notices');
    const { text } = await mailed('New sign-in to your account');
    await filler.fillIn(/\/mail\/unsubscribe\?of=\S+/.exec(text)![0]);
    await new BrowserLike(platform).post('/mail/forgot', { name: agent.username });
    await filler.fillIn(`/mail/password?token=${tokenIn(await mailed('Choose a new password'))}`);
    for (const path of ['confirm?token=x', 'password?token=x', 'unsubscribe?of=x']) {
      await filler.fillIn(`/mail/${path}`);
    }
    expect(filler.wrong).to.deep.equal([]);
    expect([...filler.actions].map((one) => one.replace(/\?.*/, ''))).to.have.members([
      'post /mail/confirm',
      'post /mail/unsubscribe',
      'post /mail/password',
    ]);
    await platform.close();
  });

  it('of an owner whose mails are on is too', async () => {
    const platform = await TestPlatform.open({ env: smtpSettings(receiver) });
    const { browser, agent } = await owner(platform);
    await prove(platform, agent.id);
    const filler = new FormFiller(browser);
    await filler.fillIn('/console/account');
    expect(filler.wrong).to.deep.equal([]);
    expect([...filler.actions]).to.include('post /console/account/notices');
    await platform.close();
  });

  it('of an app that asks to act for its owner is too', async () => {
    const rig = await OAuthRig.open();
    const app = new SdkApp(`${rig.resource}?tools=start`);
    await problemOf(app.open());
    try {
      const { pathname, search } = new URL(app.kept.sentTo);
      const filler = new FormFiller(new BrowserLike(rig.platform));
      await filler.fillIn(pathname + search);
      expect(filler.wrong).to.deep.equal([]);
      expect([...filler.actions].join()).to.match(/^post \/oauth\//);
    } finally {
      await app.close();
      await rig.close();
    }
  });

  it('of the first start is too', async () => {
    const code = `${Date.now()}.a-secret-of-the-tests-with-many-letters`;
    const platform = await TestPlatform.open({ env: { START_LINK: code } });
    const filler = new FormFiller(new BrowserLike(platform));
    for (const link of ['/start', '/start?code=x', `/start?code=${code}`]) {
      await filler.fillIn(link);
    }
    expect(filler.wrong).to.deep.equal([]);
    expect([...filler.actions]).to.deep.equal(['post /start']);
    await platform.close();
  });
});
