import { randomBytes, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../../../shared/composition/audit.ts';
import { PLATFORM } from '../../../../shared/kernel/caller.ts';
import { endConnectionOf } from '../../../../shared/domains/connections/grants.ts';
import { removeItem } from '../../../../shared/domains/connections/oauth_items.ts';
import { inTransaction } from '../../../../shared/performing/transaction.ts';
import { openSecrets } from '../../../../shared/platform/secrets.ts';
import { eventually } from '../../../harness.ts';
import { untilWaiting } from '../../../in_queue.ts';
import { CURSOR, OAuthRig, type Flow } from '../rig.ts';

const OTHER = { client_name: 'VS Code', redirect_uris: ['http://127.0.0.1:33418/'] };

describe('a refresh token that is used again', () => {
  let rig: OAuthRig;
  let owner: { id: number; key: string; username: string };
  before(async () => (rig = await OAuthRig.open({ workers: false })));
  beforeEach(async () => (owner = await rig.platform.agent({ usd: 10 })));
  after(() => rig.close());

  const signIn = async (): Promise<{ flow: Flow; first: string }> => {
    const flow = await rig.authorize(CURSOR, { username: owner.username });
    return { flow, first: (await flow.exchange()).refresh_token };
  };
  const statusOf = async (token: string) => (await rig.mcp(token, 'tools/list')).status;
  const pass = (seconds: number) =>
    rig.platform.query(`
      update oauth_item set used_at = used_at - interval '${seconds} seconds'
       where used_at is not null`);
  /** Access tokens that were issued, and refresh tokens that may still be exchanged. */
  async function issued(): Promise<{ access: number; refresh: number }> {
    const [counts] = await rig.platform.query(
      `select (select count(*)::int from api_key k join connection c on c.id = k.connection_id
                where c.owner_id = $1) as access,
              (select count(*)::int from oauth_item i join connection c on c.id = i.connection_id
                where c.owner_id = $1 and i.model = 'RefreshToken'
                  and i.used_at is null) as refresh`,
      [owner.id],
    );
    return counts;
  }

  it('is answered the same successors, and no more tokens are issued', async () => {
    const { flow, first } = await signIn();
    const answer = await flow.refresh(first);
    expect(answer.access_token).to.match(/^vnx_/);
    expect(answer.refresh_token).not.to.equal(first);
    for (const _ of [1, 2, 3]) expect(await flow.refresh(first)).to.deep.equal(answer);
    expect(await issued()).to.deep.equal({ access: 2, refresh: 1 });
    expect(await statusOf(answer.access_token)).to.equal(200);
    expect(await flow.refresh(answer.refresh_token)).to.have.property('refresh_token');
  });

  it('by eight at once, too', async () => {
    const { flow, first } = await signIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => flow.refresh(first)));
    for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
    expect(await issued()).to.deep.equal({ access: 2, refresh: 1 });
    expect(await statusOf(answers[0].access_token)).to.equal(200);
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
  });

  it('after its successor was used is answered that successor: there is one chain', async () => {
    const { flow, first } = await signIn();
    const second = await flow.refresh(first);
    const third = await flow.refresh(second.refresh_token);
    expect(await flow.refresh(first)).to.deep.equal(second);
    expect(await issued()).to.deep.equal({ access: 3, refresh: 1 });
    expect(await flow.refresh(second.refresh_token)).to.deep.equal(third);
    expect(await issued()).to.deep.equal({ access: 3, refresh: 1 });
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
  });

  it('brings no access token back that was ended meanwhile', async () => {
    const { flow, first } = await signIn();
    const second = await flow.refresh(first);
    let last = second;
    // Twenty tokens of an app work at once.
    for (let n = 0; n < 20; n += 1) last = await flow.refresh(last.refresh_token);
    expect(await flow.refresh(first)).to.deep.equal(second);
    await eventually(
      () => statusOf(second.access_token),
      (is) => is === 401,
    );
    expect(await statusOf(last.access_token)).to.equal(200);
    expect(await issued()).to.deep.equal({ access: 22, refresh: 1 });
  });

  it('is answered the same successors under another master key', async () => {
    const { flow, first } = await signIn();
    const answer = await flow.refresh(first);
    const { context, config } = rig.platform;
    const { secrets } = context;
    const next = { id: 'next', key: randomBytes(32) };
    try {
      Object.assign(context, { secrets: openSecrets([next, ...config.masterKeys]) });
      expect(await flow.refresh(first)).to.deep.equal(answer);
    } finally {
      Object.assign(context, { secrets });
    }
    expect(await issued()).to.deep.equal({ access: 2, refresh: 1 });
  });

  it('two minutes later ends the whole connection, which its owner may allow again', async () => {
    const { flow, first } = await signIn();
    const second = await flow.refresh(first);
    await pass(119);
    expect(await flow.refresh(first)).to.deep.equal(second);
    const third = await flow.refresh(second.refresh_token);
    await pass(2);
    expect(await flow.refresh(first)).to.include({ error: 'invalid_grant' });
    for (const { access_token: token, refresh_token: refresh } of [second, third]) {
      expect(await flow.refresh(refresh)).to.include({ error: 'invalid_grant' });
      await eventually(
        () => statusOf(token),
        (is) => is === 401,
      );
    }
    expect(await issued()).to.deep.equal({ access: 3, refresh: 0 });
    const { body } = await rig.platform.request('GET /api/v1/connections', { key: owner.key });
    expect(body.connections[0].status).to.equal('revoked');
    const again = await (await rig.authorize(CURSOR, { username: owner.username })).exchange();
    expect(await rig.tool(again.access_token, 'agent_me')).to.include({ owner_id: owner.id });
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
  });

  it('two minutes later ends the whole connection, though its grant is deleted at once', async () => {
    const { flow, first } = await signIn();
    const second = await flow.refresh(first);
    const { database, clock } = rig.platform.context;
    const sql = `select grant_id from oauth_item i join connection c on c.id = i.connection_id
                  where c.owner_id = $1 and i.model = 'RefreshToken'`;
    const [{ grant_id: grantId }] = await rig.platform.query(sql, [owner.id]);
    const call = { caller: PLATFORM, now: clock.now(), key: randomUUID(), requestId: 'test' };
    // oidc-provider does the one while it does the other.
    await removeItem(database.manager, grantId);
    await inTransaction(rig.platform.context, call, (tx) => endConnectionOf(tx, grantId));
    await eventually(
      () => statusOf(second.access_token),
      (is) => is === 401,
    );
    expect((await issued()).refresh).to.equal(0);
    const { body } = await rig.platform.request('GET /api/v1/connections', { key: owner.key });
    expect(body.connections[0].status).to.equal('revoked');
  });

  it('by another app is refused, and ends nothing', async () => {
    const { flow, first } = await signIn();
    const second = await flow.refresh(first);
    const { client_id } = await rig.register(OTHER);
    await pass(121);
    for (const refresh_token of [first, second.refresh_token]) {
      const form = { grant_type: 'refresh_token', client_id, refresh_token };
      const answer = await rig.post('/oauth/token', new URLSearchParams(form));
      expect(answer.status).to.equal(400);
      expect(await answer.json()).to.include({ error: 'invalid_grant' });
    }
    expect(await issued()).to.deep.equal({ access: 2, refresh: 1 });
    expect(await statusOf(second.access_token)).to.equal(200);
    expect(await flow.refresh(second.refresh_token)).to.have.property('refresh_token');
  });

  it('while its owner ends the connection is given nothing', async () => {
    const { flow, first } = await signIn();
    const ending = rig.platform.context.database.createQueryRunner();
    await ending.startTransaction();
    const sql = 'update connection set revoked_at = clock_timestamp() where owner_id = $1';
    await ending.query(sql, [owner.id]);
    const refreshed = flow.refresh(first);
    await untilWaiting(rig.platform, 1);
    await ending.commitTransaction();
    await ending.release();
    expect(await refreshed).to.include({ error: 'invalid_grant' });
    expect(await issued()).to.deep.equal({ access: 1, refresh: 0 });
  });
});
