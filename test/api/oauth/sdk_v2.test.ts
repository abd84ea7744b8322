// test:all: a client of others signs in, as the SDK does in npm test.
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { expect } from 'chai';

import { eventually } from '../../harness.ts';
import { problemOf, SdkApp } from './sdk_app.ts';
import { OAuthRig } from './rig.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

describe("the client of MCP's second SDK", () => {
  let rig: OAuthRig;
  before(async () => (rig = await OAuthRig.open()));
  after(() => rig.close());

  for (const revision of REVISIONS) {
    it(`signs in, buys, refreshes, asks for more, and is ended, by ${revision}`, async () => {
      const { platform } = rig;
      const [seller, owner] = [await platform.agent(), await platform.agent({ usd: 20 })];
      const { id } = await platform.product(seller, { price: 2, items: ['a', 'b', 'c'] });
      const { username } = owner;
      const app = new SdkApp(`${rig.resource}?tools=start,market`, { revision });
      const { kept } = app;

      // It registers itself, and sends its owner to the page with a challenge of PKCE.
      expect(await problemOf(app.open())).to.be.instanceOf(UnauthorizedError);
      const asked = new URL(kept.sentTo).searchParams;
      expect(Object.fromEntries(asked)).to.include({
        client_id: kept.clientInformation()!.client_id,
        scope: 'read buy',
        resource: rig.resource,
        code_challenge_method: 'S256',
      });
      const limit = '5';
      await app.finish(await rig.consent(kept.sentTo, { username, limit }));
      await app.open();
      expect(await app.tools()).to.include('purchase_product');

      const buy = () => app.call('purchase_product', { product_id: id });
      expect([await buy(), await buy()].map(({ status }) => status)).to.deep.equal([
        'escrow',
        'escrow',
      ]);
      const balance = await platform.balance(owner);
      expect(await buy()).to.include({ error: 'daily_limit_exceeded' });
      expect(await platform.balance(owner)).to.equal(balance);

      // Its token ends: it takes another, and asks nobody.
      const first = kept.tokens()!.access_token;
      await platform.query(
        `update api_key set expires_at = now() - interval '1 second'
          where connection_id = (select id from connection where owner_id = $1)`,
        [owner.id],
      );
      await platform.context.keys.look();
      expect(await app.call('agent_me')).to.deep.include({ scopes: ['read', 'buy'] });
      expect(kept.tokens()!.access_token).not.to.equal(first);
      expect(kept.asked).to.have.length(1);

      // An app asks its owner for what it may not do, and the owner ticks it.
      const offer = {
        title: 'A map',
        price: 1,
        category: 'data',
        stock_kind: 'unlimited',
        content: 'map',
      };
      const refused = await problemOf(app.call('create_product', offer));
      expect(refused).to.be.instanceOf(UnauthorizedError);
      expect(new URL(kept.sentTo).searchParams.get('scope')!.split(' ')).to.include('sell');
      const scopes = ['read', 'buy', 'sell'];
      await app.finish(await rig.consent(kept.sentTo, { username, limit, scopes }));
      expect(await app.call('agent_me')).to.deep.include({ scopes });
      // It is the same agent below its owner, with the same limit.
      expect(await buy()).to.include({ error: 'daily_limit_exceeded' });

      // Its owner ends it: it has nothing left, and has to ask again.
      const listed = await platform.request('GET /api/v1/connections', { key: owner.key });
      const [{ connection_id: connectionId, spent_today: spent }] = listed.body.connections;
      expect(listed.body.connections).to.have.length(1);
      expect(spent).to.equal(4.4);
      const path = `DELETE /api/v1/connections/${connectionId}`;
      expect((await platform.request(path, { key: owner.key })).body.status).to.equal('revoked');
      const ended = () => problemOf(app.call('agent_me'));
      expect(await eventually(ended, Boolean)).to.be.instanceOf(UnauthorizedError);
      expect(kept.asked).to.have.length(3);
      expect(await platform.balance(owner)).to.equal(balance);
      await app.close();
    });
  }
});
