import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { openPool, unitsOf } from '../labor/pool.ts';
import { owner } from './browser_like.ts';

const ANIMALS = { form: 'classification', labels: ['cat', 'dog'] };
const TAKE = '/console/do/take_labor_task';
const DELIVER = '/console/do/deliver_labor_task';
const RELEASE = '/console/do/labor_release';

describe('pictures of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** A person with a unit of a new task. */
  async function begin(fields: object) {
    const { taskId } = await openPool(platform, fields);
    const { browser } = await owner(platform);
    const path = `/console/labor/${taskId}/label`;
    await browser.submit(await browser.get(path), TAKE);
    return { browser, path };
  }

  it('loads pictures only of the host that its person was asked about', async () => {
    const at = await begin({
      units: unitsOf('https://pictures.example/a.png', 'https://other.example:8443/b.png'),
    });
    const page = await at.browser.get(at.path);
    expect(page.text).to.include('href="https://pictures.example/a.png"').and.not.include('<img');
    expect(page.text).to.include('?pictures=pictures.example"');
    expect(page.headers.get('content-security-policy')).to.include("img-src 'self';");
    const path = `${at.path}?pictures=pictures.example`;
    const shown = await at.browser.get(path);
    expect(shown.text).to.include('<img src="https://pictures.example/a.png"');
    expect(shown.text).to.include('referrerpolicy="no-referrer"');
    const policyOf = ({ headers }: typeof shown) => headers.get('content-security-policy');
    expect(policyOf(shown)).to.include("img-src 'self' https://pictures.example;");
    // The next unit has another host, and another question.
    const next = await at.browser.submit(shown, DELIVER, { submission: 'cat' });
    expect(next.location).to.equal(`${path}&done=deliver_labor_task`);
    const other = await at.browser.get(path);
    expect(other.text).to.include('?pictures=other.example%3A8443"').and.not.include('<img');
    expect(policyOf(other)).to.include("img-src 'self' https://pictures.example;");
    const both = await at.browser.get(`${at.path}?pictures=other.example%3A8443`);
    expect(both.text).to.include('<img src="https://other.example:8443/b.png"');
    // Other pages, as those for everybody, load none, whatever their address says.
    const examples = [{ payload: 'https://pictures.example/b.png', answer: 'cat' }];
    const { taskId } = await openPool(platform, { template: { ...ANIMALS, examples } });
    const market = await at.browser.get(`/market/labor/${taskId}?pictures=pictures.example`);
    expect(market.text).to.include('href="https://pictures.example/b.png"');
    expect(market.text).to.not.include('<img');
  });

  it('leads to no host of the own network of its person', async () => {
    const hosts =
      'localhost 127.1 10.0.0.1 0xa000001 192.168.1.1 [::1] [fd00::1] [::ffff:10.0.0.1] router ' +
      'router.local localhost. a.localhost 168.63.129.16';
    const payloads = hosts.split(' ').map((host) => `https://${host}/a.png`);
    const at = await begin({ units: unitsOf(...payloads) });
    for (const [n, host] of hosts.split(' ').entries()) {
      const page = await at.browser.get(at.path);
      expect(page.text).to.include(`>${payloads[n]}<`).and.not.include(`href="https://`);
      expect(page.text).to.not.include('?pictures=');
      const { host: written } = new URL(payloads[n]!);
      for (const asked of [host, written]) {
        const query = `pictures=${encodeURIComponent(asked)}`;
        expect((await at.browser.get(`${at.path}?${query}`)).status, asked).to.equal(422);
      }
      await at.browser.submit(page, RELEASE);
    }
    for (const none of ['shown', 'a.example;script-src *', 'a.example/b', 'u@a.example', '*']) {
      const query = `pictures=${encodeURIComponent(none)}`;
      expect((await at.browser.get(`${at.path}?${query}`)).status, none).to.equal(422);
    }
  });
});
