import { expect } from 'chai';

import { authenticate } from '../../shared/domains/agents/authenticate.ts';
import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { audit } from '../../shared/composition/audit.ts';
import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import type { Context } from '../../shared/composition/context.ts';
import { TestPlatform } from '../harness.ts';
import { expire, spareKeyOf, trustedForMs } from './spare_key.ts';

const SECOND_MS = 1_000;

describe('known keys', () => {
  let platform: TestPlatform;
  let elsewhere: Context; // what another API process is made of
  before(async () => {
    platform = await TestPlatform.open();
    elsewhere = await openContext(platform.config, {
      process: 'elsewhere',
      prefix: platform.prefix,
    });
    elsewhere.keys.start(() => undefined);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await closeContext(elsewhere);
    await platform.close();
  });

  const spareKey = () => spareKeyOf(platform);

  /** The platform's database, that calls `onStatement` with each statement after its answer. */
  const watched = (onStatement: (sql: string) => unknown) => ({
    async query(sql: string, parameters?: unknown[]) {
      const answer = await platform.query(sql, parameters);
      await onStatement(sql);
      return answer;
    },
  });
  const isLookUp = (sql: string) => sql.includes('live_keys');
  /** A machine that is slow must not make stale what a test has just looked up. */
  const still = { elapsedMs: () => 0 };

  it('stop working in every process after their revocation', async () => {
    const { agentId, key, revoke } = await spareKey();
    expect(await authenticate(elsewhere, key, { access: 'read' })).to.include({
      agentId,
      rootId: agentId,
    });

    await revoke();
    await trustedForMs(elsewhere, key);
    const refusal = await authenticate(elsewhere, key, { access: 'read' }).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.include({ code: 'invalid_key', status: 401 });
  });

  it('stop working in every process after their expiry', async () => {
    const { agentId, key } = await spareKey();
    expect(await authenticate(elsewhere, key, { access: 'read' })).to.include({ agentId });
    const keys = openKnownKeys(platform.context.database, platform.context.secrets, still);
    await keys.look();
    expect(await keys.find(key)).to.include({ agentId });
    await expire(platform, agentId);
    await trustedForMs(elsewhere, key);
    await keys.look();
    expect(await keys.find(key), 'by a look, and not because none succeeded').to.equal(undefined);
  });

  it('stop working within a second even where revocations cannot be read', async () => {
    const { key, revoke } = await spareKey();
    let elapsed = 0;
    // A look that takes long says what was so when it began.
    const database = watched((sql) => isLookUp(sql) || (elapsed += 400));
    const keys = openKnownKeys(database, platform.context.secrets, { elapsedMs: () => elapsed });
    await keys.look(); // and never again
    expect(await keys.find(key)).to.be.an('object');

    await revoke();
    elapsed = SECOND_MS;
    expect(await keys.find(key)).to.equal(undefined);
  });

  it('cost no round trip once they are known, nor does a forged one', async () => {
    const { key } = await spareKey();
    const lookUps: string[] = [];
    const database = watched((sql) => isLookUp(sql) && lookUps.push(sql));
    const keys = openKnownKeys(database, platform.context.secrets, still);
    await keys.look();

    const first = await keys.find(key);
    expect(lookUps).to.have.length(1);
    for (let call = 0; call < 100; call += 1) expect(await keys.find(key)).to.equal(first);
    expect(await keys.find(`${key.slice(0, -1)}x`)).to.equal(undefined);
    expect(await keys.find(`vnx_00000000${key.slice(12)}`), 'its checksum').to.equal(undefined);
    expect(lookUps).to.have.length(1);
  });

  it('cost a request of a known caller no statement but its own', async () => {
    const { key } = await platform.agent();
    const statements: string[] = [];
    const { database, secrets, keys } = platform.context;
    const query = database.query.bind(database);
    const ask = async () =>
      expect((await platform.request('GET /api/v1/agent/me', { key })).status).to.equal(200);
    // Nobody else looks: a look while a key is looked up keeps it from being remembered.
    const quiet = openKnownKeys(database, secrets, still);
    await quiet.look();
    Object.assign(platform.context, { keys: quiet });
    try {
      await ask();
      database.query = ((sql: string, ...rest: []) => {
        statements.push(sql);
        return query(sql, ...rest);
      }) as typeof database.query;
      for (let call = 0; call < 20; call += 1) await ask();
    } finally {
      database.query = query;
      Object.assign(platform.context, { keys });
    }
    expect(statements.filter(isLookUp)).to.eql([]);
  });

  it('are looked up together when many come at once', async () => {
    const spares = await Promise.all(Array.from({ length: 20 }, spareKey));
    let lookUps = 0;
    const database = watched((sql) => isLookUp(sql) && (lookUps += 1));
    const keys = openKnownKeys(database, platform.context.secrets);
    const callers = await Promise.all(spares.map(({ key }) => keys.find(key)));
    expect(callers.map((caller) => caller?.agentId)).to.eql(spares.map(({ agentId }) => agentId));
    expect(lookUps).to.be.below(10);
  });

  it('are not remembered when they were revoked while they were looked up', async () => {
    const { key, revoke } = await spareKey();
    const keys = openKnownKeys(
      watched(async (sql) => {
        if (!isLookUp(sql)) return;
        await revoke();
        await keys.look(); // passes over a key that is not remembered yet
      }),
      platform.context.secrets,
    );
    await keys.look();
    await keys.find(key);
    expect(await keys.find(key)).to.equal(undefined);
  });

  it('are not trusted before the first look, when no revocation could be read', async () => {
    const { key, revoke } = await spareKey();
    const keys = openKnownKeys(platform.context.database, platform.context.secrets);
    expect(await keys.find(key)).to.be.an('object');
    await revoke();
    expect(await keys.find(key)).to.equal(undefined);
  });

  it('stop working after an hour in which no revocation could be read', async () => {
    const { agentId, key, revoke } = await spareKey();
    let deafMs = 3_600_000; // the first look, and no other, was an hour ago
    const database = {
      async query(sql: string, parameters?: unknown[]) {
        const answer = await platform.query(sql, parameters);
        if (!isLookUp(sql)) answer[0].at = new Date(answer[0].at.getTime() - deafMs);
        return answer;
      },
    };
    const keys = openKnownKeys(database, platform.context.secrets);
    await keys.look();
    expect(await keys.find(key)).to.be.an('object');

    deafMs = 0;
    await revoke();
    await platform.query(
      `update api_key set revoked_at = now() - interval '50 minutes'
        where agent_id = $1 and revoked_at is not null`,
      [agentId],
    );
    await keys.look();
    expect(await keys.find(key)).to.equal(undefined);
  });

  it('are forgotten, the oldest first, when there are too many, and found again', async () => {
    const spares = [await spareKey(), await spareKey(), await spareKey()];
    let lookUps = 0;
    const database = watched((sql) => isLookUp(sql) && (lookUps += 1));
    const keys = openKnownKeys(database, platform.context.secrets, { keysMax: 2, ...still });
    await keys.look();
    const find = async (spare: number) => (await keys.find(spares[spare]!.key))?.agentId;

    for (const spare of [0, 1, 2]) expect(await find(spare)).to.equal(spares[spare]!.agentId);
    expect(lookUps).to.equal(3);
    await keys.look();
    await find(2);
    await find(1);
    expect(lookUps).to.equal(3);
    expect(await find(0)).to.equal(spares[0]!.agentId);
    expect(lookUps).to.equal(4);
  });
});
