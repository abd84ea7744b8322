// test:all: tables of many rows are filled, to see the plans of statements at size.
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { newKey } from '../../shared/domains/agents/keys.ts';
import { issueToken } from '../../shared/domains/connections/access_tokens.ts';
import { endConnection } from '../../shared/domains/connections/end_connection.ts';
import { listConnections } from '../../shared/domains/connections/list_connections.ts';
import {
  findItem,
  removeGrant,
  removeItem,
  replaceItem,
} from '../../shared/domains/connections/oauth_items.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import type { Database } from '../../shared/platform/rows.ts';
import { allowedBy } from '../connections/allowed.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

const OTHERS = 20_000;
/** Tokens that an app can get in two days, if it asks for all that it may have. */
const TOKENS = 5_000;
/** The newest tokens of a connection: they say when it last called, or were issued in this hour. */
const NEWEST = 120;
/** Tokens that work at once. */
const WORKING = 20;

describe('what apps renew for months', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let owner: { id: number };
  let connectionId: number;

  before(async () => {
    platform = await TestPlatform.open();
    owner = await platform.agent();
    await platform.pauseWorkers();
    connectionId = await allowedBy(platform, owner);
    const { secrets, database } = platform.context;
    await database.transaction((db) =>
      issueToken({ db, secrets } as unknown as Tx, {
        connectionId,
        token: newKey(platform.context.config),
        expiresAt: new Date(Date.now() + 1e9),
      }),
    );
    // The last tokens work, and each second connection is this owner's.
    await copyRow(platform, 'api_key', {
      where: `t.connection_id = ${connectionId}`,
      count: TOKENS,
      changes: {
        id: 't.id + n',
        public_id: `'k' || n`,
        created_at: `now() - interval '90 days'`,
        revoked_at: `case when n <= ${TOKENS - WORKING} then now() end`,
      },
    });
    await copyRow(platform, 'connection', {
      where: `t.id = ${connectionId}`,
      count: OTHERS,
      changes: {
        id: 't.id + n',
        app: `'app ' || n`,
        owner_id: 'case when n % 2 = 0 then t.owner_id else -n end',
        agent_id: '-n',
      },
    });
    const ofApp = `t.agent_id = (select agent_id from connection where id = ${connectionId})`;
    const agent_id = '-n';
    await copyRow(platform, 'spend', { where: ofApp, count: OTHERS, changes: { agent_id } });
    await copyRow(platform, 'api_key', {
      where: `t.public_id = 'k1'`,
      count: 2 * OTHERS,
      changes: { id: 't.id + 100000 + n', public_id: `'o' || n`, agent_id, connection_id: 'n' },
    });
    await withoutTriggers(
      platform,
      `insert into oauth_item (id, model, grant_id, connection_id, payload, expires_at)
       select sha256(n::text::bytea), 'RefreshToken', 'grant ' || n, n, '{}', now() + interval '1 d'
         from generate_series(1, ${OTHERS}) n;
       analyze connection; analyze oauth_item; analyze api_key; analyze spend`,
    );
  });
  after(() => platform.close());

  const read = (tables: string[], act: (db: Database) => Promise<unknown>) =>
    rowsRead(platform, tables, act);

  it('lists a page of connections, and of each the newest tokens', async () => {
    const list = (tables: string[], input: object) =>
      read(tables, async (db) => {
        const caller = { agentId: owner.id, rootId: owner.id };
        const tx = { db, caller, now: new Date() } as unknown as Tx;
        await listConnections.handle(tx, { limit: 10, ...input }, undefined);
      });
    expect(await list(['connection'], {})).to.be.within(11, 40);
    const cursor = Buffer.from(String(connectionId + 4)).toString('base64url');
    // The page with the connection that has all the tokens.
    expect(await list(['connection', 'api_key'], { cursor })).to.be.within(3, NEWEST);
  });

  it('issues a token beside so many', async () => {
    const { secrets } = platform.context;
    const expiresAt = new Date(Date.now() + 1e9);
    const issue = (db: Database) =>
      issueToken({ db, secrets } as unknown as Tx, {
        connectionId,
        token: newKey(platform.context.config),
        expiresAt,
      });
    // It finds nothing, so it stops here: which token is the twenty-first is asked below.
    expect(await read(['api_key', 'connection'], issue)).to.be.within(NEWEST, NEWEST + 1);
    const excess = `
      select id from api_key where connection_id = ${connectionId} and revoked_at is null
       order by id desc offset ${WORKING}`;
    const rows = await read(['api_key'], (db) => db.query(excess));
    expect(rows).to.be.within(WORKING, WORKING + 1);
  });

  it('finds, uses and removes one item of a sign-in, or all of it', async () => {
    const id = randomUUID();
    const find = (db: Database) => findItem(db, { model: 'RefreshToken', id, graceSeconds: 120 });
    expect(await read(['oauth_item', 'connection'], find)).to.equal(0);
    expect(await read(['oauth_item'], (db) => replaceItem(db, { id, keyId: 'x' }))).to.equal(0);
    expect(await read(['oauth_item'], (db) => removeItem(db, id))).to.equal(0);
    expect(await read(['oauth_item'], (db) => removeGrant(db, 'grant 7'))).to.be.within(1, 2);
  });

  it('ends a connection by its own rows', async () => {
    const id = connectionId + 1;
    const end = (db: Database) => endConnection(db, { id, agentId: -1 });
    expect(await read(['oauth_item', 'connection', 'api_key'], end)).to.be.within(1, 4);
  });
});
