import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { allowedBy } from '../connections/allowed.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { childOf } from './child.ts';

const KEYS = '/api/v1/agent/keys';

describe('the keys of an agent below', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const make = (key: string, body: object) => platform.request(`POST ${KEYS}`, { key, body });
  const rotate = (key: string, id: number, body: object = {}) =>
    platform.request(`POST ${KEYS}/${id}/rotate`, { key, body });
  const revoke = (key: string, id: number) => platform.request(`DELETE ${KEYS}/${id}`, { key });
  const agentOf = async (key: string) =>
    (await platform.request('GET /api/v1/agent/me', { key })).body.agent_id as number | undefined;
  /** By the database, as no process has to know of it. */
  const keysOf = async (agentId: number): Promise<{ id: number; works: boolean }[]> =>
    platform.query(
      `select id::int, revoked_at is null as works from api_key where agent_id = $1 order by id`,
      [agentId],
    );

  it('are made, listed, rotated and ended by the owner of the tree, the last one too', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, await childOf(platform, owner));
    const made = await make(owner.key, { agent_id: child.id, name: 'ci', scopes: ['read'] });
    expect(made.status).to.equal(200);
    expect(await agentOf(made.body.api_key.key)).to.equal(child.id);
    expect(await keysOf(owner.id)).to.have.length(1);

    const rotated = await rotate(owner.key, made.body.key_id);
    expect(rotated.status).to.equal(200);
    expect(rotated.body).to.deep.include({ name: 'ci', scopes: ['read'], connection_id: null });
    expect(await agentOf(rotated.body.api_key.key)).to.equal(child.id);
    const { body: listed } = await platform.request(`GET ${KEYS}?agent_id=${child.id}`, owner);
    const names = listed.keys.map(({ name }: { name: string }) => name);
    expect(names).to.deep.equal(['ci', 'ci', 'child']);

    for (const { id } of await keysOf(child.id)) {
      expect((await revoke(owner.key, id)).status).to.equal(200);
    }
    expect((await keysOf(child.id)).filter(({ works }) => works)).to.deep.equal([]);
    // Its owner makes it another one, and cannot end its own last one.
    expect((await make(owner.key, { agent_id: child.id, scopes: ['read'] })).status).to.equal(200);
    const [own] = await keysOf(owner.id);
    expect((await revoke(owner.key, own!.id)).status).to.equal(403);
  });

  it('end with its proxy key, and not with that of the owner', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    for (const { key } of [owner, child]) {
      await platform.request('GET /api/v1/proxy/my-key', { key });
    }
    const [key] = await keysOf(child.id);
    const ended = await rotate(owner.key, key!.id, { end_proxy_key: true });
    expect(ended.body.proxy_key).to.equal('ended');
    const left = await platform.query(
      'select agent_id::int from proxy_key where agent_id = any ($1)',
      [[owner.id, child.id]],
    );
    expect(left).to.deep.equal([{ agent_id: owner.id }]);
  });

  it('are changed by no other tree, and by no agent of the same tree but its root', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    const [key] = await keysOf(child.id);
    const before = await keysOf(child.id);
    const outsider = await platform.agent();
    const answers = (by: string) =>
      Promise.all([
        make(by, { agent_id: child.id, scopes: ['read'] }),
        rotate(by, key!.id),
        revoke(by, key!.id),
      ]);
    for (const { status, body } of await answers(outsider.key)) {
      expect([status, body.error]).to.deep.equal([404, 'not_found']);
    }
    for (const { status } of await answers(child.key)) expect(status).to.equal(403);
    expect(await keysOf(child.id)).to.deep.equal(before);
  });

  it('are an app\u2019s tokens only where the app ends, and are not made past its end', async () => {
    const owner = await platform.agent();
    const connection = await allowedBy(platform, owner);
    const [{ agent_id: app }] = await platform.query(
      'select agent_id::int from connection where id = $1',
      [connection],
    );
    const { body: made } = await make(owner.key, { agent_id: app, scopes: ['read'] });
    await platform.query('update api_key set connection_id = $1 where id = $2', [
      connection,
      made.key_id,
    ]);
    for (const change of [rotate, revoke]) {
      const { status, body } = await change(owner.key, made.key_id);
      expect([status, body.error]).to.deep.equal([403, 'forbidden']);
    }
    const { body: listed } = await platform.request(`GET ${KEYS}?agent_id=${app}`, owner);
    expect(listed.keys[0].connection_id).to.equal(connection);

    const below = await childOf(platform, { id: app });
    const [key] = await keysOf(below.id);
    const [ended, rotated] = await inQueue(
      platform,
      `select from connection where id = ${connection} for update`,
      [
        () => platform.request(`DELETE /api/v1/connections/${connection}`, owner),
        () => rotate(owner.key, key!.id),
      ],
    );
    expect([ended!.status, rotated!.status]).to.deep.equal([200, 409]);
    for (const id of [app as number, below.id]) {
      expect((await keysOf(id)).filter(({ works }) => works)).to.deep.equal([]);
    }
  });
});
