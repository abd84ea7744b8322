import { expect } from 'chai';

import { audit } from '../../../../shared/composition/audit.ts';
import { eventually } from '../../../harness.ts';
import { untilWaiting } from '../../../in_queue.ts';
import { CURSOR, OAuthRig, type Flow } from '../rig.ts';

const OTHER = { client_name: 'VS Code', redirect_uris: ['http://127.0.0.1:33418/'] };

/** RFC 6749, section 4.1.2; RFC 9700, section 4.5. */
describe('a code that comes again', () => {
  let rig: OAuthRig;
  let owner: { id: number; key: string; username: string };
  before(async () => (rig = await OAuthRig.open({ workers: false })));
  beforeEach(async () => (owner = await rig.platform.agent({ usd: 10 })));
  after(async () => {
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
    await rig.close();
  });

  const signIn = () => rig.authorize(CURSOR, { username: owner.username });
  const statusOf = async (token: string) => (await rig.mcp(token, 'tools/list')).status;
  const pass = (seconds: number) =>
    rig.platform.query(`
      update oauth_item set used_at = used_at - interval '${seconds} seconds',
                            expires_at = expires_at - interval '${seconds} seconds'
       where model = 'AuthorizationCode'`);
  /** Access tokens of the owner's apps that were issued, and that work. */
  async function tokens(): Promise<{ issued: number; live: number }> {
    const [counts] = await rig.platform.query(
      `select count(*)::int as issued, (count(*) filter (where k.revoked_at is null))::int as live
         from api_key k join connection c on c.id = k.connection_id where c.owner_id = $1`,
      [owner.id],
    );
    return counts;
  }
  /** Nothing that came of the first exchange works any more. */
  async function areEnded(
    flow: Flow,
    got: { access_token: string; refresh_token: string },
  ): Promise<void> {
    await eventually(
      () => statusOf(got.access_token),
      (is) => is === 401,
    );
    expect(await flow.refresh(got.refresh_token)).to.include({ error: 'invalid_grant' });
    expect(await flow.exchange()).to.include({ error: 'invalid_grant' });
    expect((await tokens()).live).to.equal(0);
  }

  it('at once from its client, of which the answer was lost, gets the same tokens', async () => {
    const flow = await signIn();
    const got = await flow.exchange();
    for (const _ of [1, 2, 3]) expect(await flow.exchange()).to.deep.equal(got);
    expect(await tokens()).to.deep.equal({ issued: 1, live: 1 });
    expect(await statusOf(got.access_token)).to.equal(200);
    expect(await flow.refresh(got.refresh_token)).to.have.property('access_token');
  });

  it('five times at once from its client gets the same tokens', async () => {
    const flow = await signIn();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => flow.exchange()));
    for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
    expect(await tokens()).to.deep.equal({ issued: 1, live: 1 });
    expect(await statusOf(answers[0].access_token)).to.equal(200);
  });

  it('within the grace at the end of its minute gets the same tokens', async () => {
    const flow = await signIn();
    const got = await flow.exchange();
    await rig.platform.query(`
      update oauth_item set payload = jsonb_set(payload::jsonb, '{exp}',
        to_jsonb(extract(epoch from now())::int - 1)) where model = 'AuthorizationCode'`);
    expect(await flow.exchange()).to.deep.equal(got);
  });

  const THIEVES: readonly [who: string, said: () => Promise<Record<string, string>>][] = [
    ['with another verifier', async () => ({ code_verifier: 'w'.repeat(43) })],
    ['without a verifier', async () => ({ code_verifier: '' })],
    ['for another redirect URI', async () => ({ redirect_uri: 'http://localhost:8787/callback' })],
    ['from another client', async () => ({ client_id: (await rig.register(OTHER)).client_id })],
  ];
  for (const [who, said] of THIEVES) {
    it(`at once ${who} ends the tokens that it gave`, async () => {
      const flow = await signIn();
      const got = await flow.exchange();
      const { access_token: renewed } = await flow.refresh(got.refresh_token);
      expect(await flow.exchange(await said())).to.have.property('error');
      await areEnded(flow, got);
      expect(await statusOf(renewed)).to.equal(401);
    });

    it(`first ${who} is refused, and its client gets its tokens`, async () => {
      const flow = await signIn();
      expect(await flow.exchange(await said())).to.have.property('error');
      const got = await flow.exchange();
      expect(await statusOf(got.access_token)).to.equal(200);
    });
  }

  for (const seconds of [11, 3_600]) {
    it(`after ${seconds} s ends the tokens that it gave, whoever brings it`, async () => {
      const flow = await signIn();
      const got = await flow.exchange();
      await pass(seconds);
      expect(await flow.exchange()).to.include({ error: 'invalid_grant' });
      await areEnded(flow, got);
    });
  }

  it('ends no other sign-in of the same app', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const [, kept] = [await first.exchange(), await second.exchange()];
    expect(await first.exchange({ code_verifier: 'w'.repeat(43) })).to.have.property('error');
    expect(await tokens()).to.deep.equal({ issued: 2, live: 1 });
    expect(await statusOf(kept.access_token)).to.equal(200);
  });

  it('while its tokens are issued leaves none that works', async () => {
    const flow = await signIn();
    const blocking = rig.platform.context.database.createQueryRunner();
    await blocking.startTransaction();
    await blocking.query('select from connection where owner_id = $1 for update', [owner.id]);
    const exchanged = flow.exchange();
    await untilWaiting(rig.platform, 1);
    // Its code is used, and its access token waits for the lock of the connection.
    const stolen = flow.exchange({ code_verifier: 'w'.repeat(43) });
    await untilWaiting(rig.platform, 2);
    await blocking.commitTransaction();
    await blocking.release();
    expect(await stolen).to.include({ error: 'invalid_grant' });
    await exchanged;
    expect((await tokens()).live).to.equal(0);
    const left = await rig.platform.query(
      `select model from oauth_item i join connection c on c.id = i.connection_id
        where c.owner_id = $1`,
      [owner.id],
    );
    expect(left).to.deep.equal([]);
  });

  it('from both at once, many times, leaves no token after the thief', async () => {
    for (let n = 0; n < 8; n += 1) {
      const flow = await signIn();
      const wrong = { code_verifier: 'w'.repeat(43) };
      await Promise.all([
        flow.exchange(),
        flow.exchange(wrong),
        flow.exchange(),
        flow.exchange(wrong),
      ]);
      await flow.exchange(wrong);
      expect((await tokens()).live, `round ${n}`).to.equal(0);
    }
  });
});
