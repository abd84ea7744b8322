import { expect } from 'chai';

import { owner } from '../../console/browser_like.ts';
import { withAppCodes } from '../../console/account/authenticator.ts';
import { CURSOR, OAuthRig } from './rig.ts';

describe('an app of an owner with app codes', () => {
  let rig: OAuthRig;
  before(async () => {
    rig = await OAuthRig.open({ workers: false });
  });
  after(() => rig.close());

  const connectionsOf = async (agentId: number): Promise<number> =>
    (await rig.platform.query('select 1 from connection where owner_id = $1', [agentId])).length;

  it('is connected after the password and a code, and with the limit that was filled in', async () => {
    const { browser, agent } = await owner(rig.platform, { usd: 5 });
    const { app, recovery } = await withAppCodes(browser);
    const { username } = agent;
    const without = await rig.authorize(CURSOR, { username });
    expect(without.back.get('text')).to.include('name="ticket"');
    const wrong = await rig.authorize(CURSOR, { username, code: () => '000000x' });
    expect(wrong.back.get('refused')).to.equal('401');
    const recovered = await rig.authorize(CURSOR, { username, code: () => `${recovery[0]}x` });
    expect(recovered.back.get('refused')).to.equal('401');
    expect(await connectionsOf(agent.id)).to.equal(0);

    const code = app.code(1);
    const how = { username, limit: '3', scopes: ['read'], code: () => code };
    const flow = await rig.authorize(CURSOR, how);
    const { access_token: token } = await flow.exchange();
    expect(await rig.tool(token, 'get_wallet')).to.include({ daily_spend_limit: 3 });
    expect(await connectionsOf(agent.id)).to.equal(1);

    const again = await rig.authorize(CURSOR, how);
    expect(again.back.get('refused')).to.equal('401');
  });
});
