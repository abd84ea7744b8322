import { expect } from 'chai';

import { BrowserLike, signedIn } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { allowedBy } from './allowed.ts';

describe('the page of connected apps', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('shows them, and its forms change and end one', async () => {
    const agent = await platform.agent();
    const browser: BrowserLike = await signedIn(platform, agent);
    expect((await browser.get('/console/connections')).text).to.contain('None yet');
    const connection_id = await allowedBy(platform, agent);
    const shown = await browser.get('/console/connections');
    expect(shown.text)
      .to.contain('Claude')
      .and.contain('claude.ai')
      .and.contain('chose its name itself');

    const filled = { scopes: ['read', 'buy'], daily_spend_limit: '2' };
    const saved = await browser.submit(shown, '/console/do/update_connection', filled);
    expect(saved.status, saved.text.slice(0, 2_000)).to.equal(303);
    const ofNow = async () => {
      const { body } = await platform.request('GET /api/v1/connections', { key: agent.key });
      return body.connections[0];
    };
    expect(await ofNow()).to.deep.include({
      connection_id,
      scopes: ['read', 'buy'],
      daily_spend_limit: 2,
      status: 'active',
    });
    const again = await browser.get('/console/connections');
    const ended = await browser.submit(again, '/console/do/revoke_connection');
    expect(ended.status).to.equal(303);
    expect((await ofNow()).status).to.equal('revoked');
  });

  it('asks for a fresh proof before an app may do more', async () => {
    const agent = await platform.agent();
    const browser = await signedIn(platform, agent);
    await allowedBy(platform, agent);
    const shown = await browser.get('/console/connections');
    await platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);
    const filled = { scopes: ['read', 'buy', 'sell'], daily_spend_limit: '9' };
    const asked = await browser.submit(shown, '/console/do/update_connection', filled);
    expect(asked.status).not.to.equal(303);
    const { body } = await platform.request('GET /api/v1/connections', { key: agent.key });
    expect(body.connections[0]).to.deep.include({ scopes: ['read'], daily_spend_limit: 5 });
  });
});
