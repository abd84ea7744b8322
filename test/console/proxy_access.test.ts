import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { owner } from './browser_like.ts';

describe('addresses of the rotating proxies in the console', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('are shown, one a line, and saved', async () => {
    const { browser, agent } = await owner(platform);
    const page = await browser.get('/console/keys');
    expect(page.text).to.include('rotating proxies without a password');
    const addresses = '8.8.8.8\r\n2606:4700::1111\r\n';
    const sent = await browser.submit(page, '/console/do/set_proxy_addresses', { addresses });
    expect(sent.location).to.equal('/console/keys?done=set_proxy_addresses');
    const saved = await browser.get(sent.location!);
    expect(saved.text).to.include('The addresses were saved.').and.include('2606:4700::1111');
    const { body } = await platform.request('GET /api/v1/proxy/access', { key: agent.key });
    expect(body.addresses).to.deep.equal(['8.8.8.8', '2606:4700::1111']);

    const wrong = { addresses: '10.0.0.1' };
    const refused = await browser.submit(saved, '/console/do/set_proxy_addresses', wrong);
    expect(refused.status).to.equal(422);
    expect(refused.text).to.include('10.0.0.1').and.include('Enter a public IP address');
    const again = await browser.get('/console/keys');
    // A browser would not send the form that takes the last one off the list.
    const [field] = /<textarea[^>]*name="addresses"[^>]*>/.exec(again.text) ?? [];
    expect(field)
      .to.be.a('string')
      .and.not.match(/\srequired/);
    const empty = await browser.submit(again, '/console/do/set_proxy_addresses', { addresses: '' });
    expect(empty.status).to.equal(303);
    const left = await platform.request('GET /api/v1/proxy/access', { key: agent.key });
    expect(left.body.addresses).to.deep.equal([]);
  });
});
