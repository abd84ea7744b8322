import { expect } from 'chai';

import { challengeFor, type Purpose } from '../../../api/console/session/challenges.ts';
import { owner } from '../../console/browser_like.ts';
import { withAppCodes } from '../../console/account/authenticator.ts';
import { SoftPasskey } from '../../console/account/soft_passkey.ts';
import { CURSOR, OAuthRig } from './rig.ts';

describe('an app of an owner with a second factor', () => {
  let rig: OAuthRig;
  before(async () => {
    // Passkeys are of a name.
    rig = await OAuthRig.open({ host: 'localhost', workers: false });
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

  it('is connected by its passkey alone, once, and by no answer for anything else', async () => {
    const { browser, agent } = await owner(rig.platform, { usd: 5 });
    await withAppCodes(browser);
    const key = await new SoftPasskey(agent.id).keep(rig.platform);
    const { context } = rig.platform;
    const answerTo = (purpose: Purpose) =>
      key.answer({ challenge: challengeFor(context, purpose), origin: rig.origin });
    const connect = (answer: string) =>
      rig.authorize(CURSOR, { username: '', limit: '4', passkey: () => answer });
    const [{ id: sessionId }] = await rig.platform.query(
      'select id::int from web_session where agent_id = $1',
      [agent.id],
    );
    for (const purpose of [
      { what: 'sign in', sessionId: 0 },
      { what: 'prove', sessionId },
      { what: 'connect', sessionId },
    ] as const) {
      const { back } = await connect(answerTo(purpose));
      expect(back.get('refused'), purpose.what).to.equal('401');
      expect(back.get('text')).to.include('The passkey is unknown here');
    }
    expect(await connectionsOf(agent.id)).to.equal(0);

    const answer = answerTo({ what: 'connect', sessionId: 0 });
    const { access_token: token } = await (await connect(answer)).exchange();
    expect(await rig.tool(token, 'get_wallet')).to.include({ daily_spend_limit: 4 });
    expect((await connect(answer)).back.get('refused')).to.equal('401');
    expect(await connectionsOf(agent.id)).to.equal(1);
    // Nor does it sign in to the console.
    const second = answerTo({ what: 'connect', sessionId: 0 });
    const login = await browser.post('/console/login', { _passkey: second, next: '/console' });
    expect(login.status).to.equal(401);
  });
});
