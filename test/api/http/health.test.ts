import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';

import { createApp } from '../../../api/app.ts';
import { admin } from '../../faults/children.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { asOwner } from '../../as_owner.ts';

describe('health and readiness', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('answers that the process is alive, and how far its event loop lags', async () => {
    const { status, body } = await platform.request('GET /healthz');
    expect([status, body.status]).to.deep.equal([200, 'ok']);
    expect(body.event_loop_lag_ms).to.be.at.least(0);
  });

  /** Its answer when the database answers, which may take a moment. */
  const readiness = () =>
    eventually(
      () => platform.request('GET /readyz'),
      ({ body }) => body.database === 'ok',
    );

  it('is ready when everything that it needs is', async () => {
    const { status, body } = await readiness();
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'ready', database: 'ok', schema: 'current', redis: 'ok' });
    expect(body.clock_skew_ms).to.be.below(60_000);
  });

  it('is not ready before the schema is up to date', async () => {
    const owner = `delete from migrations where id = (select max(id) from migrations) returning *`;
    await asOwner(platform, `create table removed as with gone as (${owner}) select * from gone`);
    const { status, body, headers } = await readiness();
    expect([status, body.schema]).to.deep.equal([503, 'behind']);
    expect(headers.get('retry-after')).to.equal('1');
    await asOwner(platform, 'insert into migrations select * from removed; drop table removed');
    expect((await readiness()).status).to.equal(200);
  });

  it('is not ready while the database does not answer, and answers so', async () => {
    await asOwner(platform, 'begin; lock migrations', async () => {
      const { status, body } = await platform.request('GET /readyz');
      expect([status, body.database]).to.deep.equal([503, 'away']);
    });
    expect((await readiness()).status).to.equal(200);
  });

  it('is not ready where nothing can be written: on a standby, or a primary that was demoted', async () => {
    const setReadOnly = async (on: boolean) => {
      await admin(
        platform,
        `alter role market_app in database ${platform.name} set default_transaction_read_only = ${on}`,
      );
      if (on)
        await admin(
          platform,
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'market_app'
           and datname = $1`,
          [platform.name],
        );
    };
    const answer = (expected: string) =>
      eventually(
        () => platform.request('GET /readyz'),
        ({ body }) => body.database === expected,
      );
    await setReadOnly(true);
    expect((await answer('read_only')).status).to.equal(503);
    await setReadOnly(false);
    expect((await answer('ok')).status).to.equal(200);
  });

  it('is not ready from the moment at which its process is told to end', async () => {
    const draining = new AbortController();
    const noCalls = () => Promise.reject(new Error('no call is made'));
    const answer = createApp(platform.context, noCalls, { draining: draining.signal });
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;
    await eventually(
      () => fetch(url),
      ({ status }) => status === 200,
    );
    draining.abort();
    const response = await fetch(url);
    expect(response.status).to.equal(503);
    expect(await response.json()).to.include({ status: 'draining', schema: 'current' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is not ready while calls cannot be recorded', async () => {
    const agent = await platform.agent();
    const call = () =>
      platform.request('GET /api/v1/email/validate/ada@nobody.example', {
        key: agent.key,
        headers: { prefer: 'respond-async' },
      });
    let first;
    await asOwner(platform, 'begin; lock job in share mode', async () => {
      first = call();
      const { status, body } = await eventually(
        () => platform.request('GET /readyz'),
        ({ body: { recording } }) => recording === 'stalled',
      );
      expect([status, body.status, body.database]).to.deep.equal([503, 'not_ready', 'ok']);
    });
    expect((await first!).status).to.equal(202);
    expect((await readiness()).status).to.equal(200);
  });
});
