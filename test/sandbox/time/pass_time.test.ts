import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { newKey, owner } from '../../console/browser_like.ts';
import { TestPlatform } from '../../harness.ts';
import { buy, meet } from '../../orders/trade.ts';
import { openSandbox } from './open_sandbox.ts';

const ACTION = '/console/do/sandbox_advance';

describe('the page of an order', () => {
  it('lets time pass in a sandbox, and nowhere else', async () => {
    for (const [platform, isSandbox] of [
      [await openSandbox(), true],
      [await TestPlatform.open(), false],
    ] as const) {
      const { seller, product } = await meet(platform, { price: 0.2 });
      const { agent, browser } = await owner(platform);
      const id = await buy(platform, agent, product);
      const path = `/console/orders/${id}`;
      const page = await browser.get(path);
      expect(page.text.includes('Let time pass')).to.equal(isSandbox);
      const fields = { kind: 'order', object_id: String(id), hours: '72' };
      const sent = { ...fields, _key: newKey(), _back: path };
      const done = isSandbox
        ? await browser.submit(page, ACTION, { hours: '72' })
        : await browser.post(ACTION, sent);
      expect(done.status).to.equal(isSandbox ? 303 : 403);
      if (isSandbox) {
        expect((await browser.get(done.location!)).text).to.include('The hours have passed.');
      }
      expect(await platform.balance(seller)).to.equal(isSandbox ? 0.7 : 0.5);
      expect(await audit(platform.context.database)).to.deep.equal([]);
      await platform.close();
    }
  });
});
