import { connect } from 'node:net';
import { expect } from 'chai';
import { expanded } from '../expanded.ts';
import { catalog } from '../../../shared/composition/catalog.ts';
import { TestPlatform } from '../../harness.ts';
import { isNamed, WRONG } from './wrong_values.ts';

interface Schema {
  type?: string;
  properties: Record<string, Schema>;
  enum?: string[];
}
interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly inPath: string[];
  readonly fields: [name: string, schema: Schema][];
  readonly hasBody: boolean;
}

const SQL = `'; drop table agent; -- "\\ $1 %s`;
const DEEP = 40;

describe('bad input', () => {
  let platform: TestPlatform;
  let agent: { key: string };
  let routes: Route[];

  // Without workers and their timers, so that whatever is written was written by these calls.
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { WAIT_MS: '0' } });
    agent = await platform.agent({ usd: 100 });
    const { paths } = expanded((await platform.request('GET /openapi.json')).body);
    routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, op]) => {
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
        const schema = op.requestBody?.content['application/json'].schema;
        const query = op.parameters.filter((one: { in?: string }) => one.in === 'query');
        const fields = schema
          ? Object.entries<Schema>(schema.properties)
          : query.map((one: { name: string; schema: Schema }) => [one.name, one.schema]);
        const name = op.operationId as string;
        return { name, method: method.toUpperCase(), path, inPath, fields, hasBody: !!schema };
      }),
    );
  });
  after(() => platform.close());

  const keyFor = ({ path }: Route) =>
    path.includes('/admin/') ? 'operator-token-of-the-tests' : agent.key;
  const concrete = ({ path }: Route) => path.replace(/\{\w+\}/g, '1');

  async function send(route: Route, { query = '', body = '', path = concrete(route) }) {
    const reply = await platform.request(`${route.method} ${path}${query}`, {
      key: keyFor(route),
      ...(route.method !== 'GET' && { body: body || '{}' }),
    });
    const about = `${route.method} ${path}${query} ${body.slice(0, 80)}: ${reply.text}`;
    // Not all rails are on here.
    if (reply.body.error !== 'rail_unavailable') expect(reply.status, about).to.be.below(500);
    expect(reply.body, about).to.be.an('object');
    return { ...reply, about };
  }
  /** How many rows there are of everything but the log of requests. */
  async function counts(): Promise<object> {
    const tables: { name: string }[] = await platform.query(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
        where relname !~ '^(request(_\\d)?|process|machine_minute)$' order by 1`,
    );
    const union = tables.map(({ name }) => `select '${name}' as name, count(*) as n from ${name}`);
    return platform.query(union.join(' union all '));
  }

  async function writesNothing(work: () => Promise<void>): Promise<void> {
    const before = await counts();
    await work();
    expect(await counts()).to.deep.equal(before);
  }

  it('in any field of any operation is validation_error, and nothing is written', () =>
    writesNothing(async () => {
      let sent = 0;
      for (const route of routes.filter(({ hasBody }) => hasBody)) {
        for (const [name, { type = '', enum: values }] of route.fields) {
          const wrong = [...(WRONG[type] ?? []), ...(values ? [JSON.stringify(SQL)] : [])];
          for (const value of wrong) {
            // Some values may be valid: the unknown field makes each body wrong, but for a read.
            const body = `{${JSON.stringify(name)}:${value},"no_such_field":1}`;
            const { status, body: answer, about } = await send(route, { body });
            if (!isNamed(answer, 'no_such_field')) {
              expect([status, answer.error], about).to.deep.equal([422, 'validation_error']);
            }
            sent += 1;
          }
        }
      }
      expect(sent).to.be.above(50);
    }));

  it('in the query is validation_error', () =>
    writesNothing(async () => {
      for (const route of routes.filter(({ method }) => method === 'GET')) {
        for (const name of ['no_such_field', 'a', 'constructor', '__proto__']) {
          const { status, body, about } = await send(route, { query: `?${name}=%ff` });
          if (isNamed(body, name)) continue;
          const isRead = catalog.get(route.name)?.mode === 'read';
          const isElse = isRead && !['validation_error', undefined].includes(body.error);
          if (!isElse) expect([status, body.error], about).to.deep.equal([422, 'validation_error']);
        }
        const bad = ['%zz=1'];
        for (const [name, { type }] of route.fields) {
          bad.push(`${name}=1&${name}=2`, `${name}=%00`);
          if (type === 'integer') bad.push(`${name}=4294967296`, `${name}=1e3`);
        }
        for (const query of bad) {
          const { status, body, about } = await send(route, { query: `?${query}` });
          expect([status, body.error], about).to.deep.equal([422, 'validation_error']);
        }
      }
    }));

  it('in the path is validation_error or not_found', () =>
    writesNothing(async () => {
      const noText = ['%00', '%ff', '%zz', 'a'.repeat(5_000)];
      const noIds = ['0', '-1', '2147483648', '9'.repeat(40), '1.5', '1e3', 'x', '__proto__'];
      noIds.push('%F0%9F%98%80', '%27%3B--', 'constructor', '%2e%2e%2f', ...noText);
      for (const route of routes.filter(({ inPath }) => inPath.length > 0)) {
        // An e-mail address that is wrong gets a result, as long as it is text.
        for (const id of route.path.includes('{email}') ? noText : noIds) {
          const path = route.path.replace(/\{\w+\}/g, id);
          const { status, body, about } = await send(route, { path });
          expect([404, 422], about).to.include(status);
          expect(['not_found', 'validation_error'], about).to.include(body.error);
        }
      }
    }));

  it('that is not a JSON object is validation_error', () =>
    writesNothing(async () => {
      const bodies = ['[1]', 'true', '7', '"x"', '{', '{"a":}', "{'a':1}", '{"a":NaN}', '\u0000'];
      bodies.push('a=1&b=2', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`, '['.repeat(200_000));
      bodies.push('{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"a":1}}}');
      for (const route of routes.filter(({ hasBody }) => hasBody)) {
        for (const body of bodies) {
          const { status, body: answer, about } = await send(route, { body });
          expect([status, answer.error], about).to.deep.equal([422, 'validation_error']);
        }
      }
      expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
    }));

  it('that is SQL is text like any other', async () => {
    for (const route of routes) {
      const text = JSON.stringify(SQL);
      const body = `{${route.fields.map(([name]) => `${JSON.stringify(name)}:${text}`).join()}}`;
      const query = route.fields.map(([name]) => `${name}=${encodeURIComponent(SQL)}`).join('&');
      const path = route.path.replace(/\{\w+\}/g, '2147483647'); // or it may revoke our own key
      await send(route, route.hasBody ? { body, path } : { query: `?${query}`, path });
    }
    expect((await platform.request('GET /api/v1/wallet', { key: agent.key })).status).to.equal(200);
  });

  const post = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
    fetch(`${platform.url}/api/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.key}`, ...headers },
      body: body as BodyInit,
    });

  it('that is not UTF-8, compressed or nested too deep is validation_error', async () => {
    const cut = new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]);
    const brackets = '['.repeat(5_000);
    for (const [body, encoding, reason] of [
      [cut, 'identity', 'not JSON in UTF-8'],
      ['{}', 'gzip', 'not compressed as'],
      [`{"a":${brackets}`, 'identity', 'nested too deep'],
      [`{"a":"\\"${brackets}"}`, 'identity', '/a is not'],
    ] as const) {
      const answer = await post(body, { 'content-encoding': encoding });
      const { error, message } = (await answer.json()) as { error: string; message: string };
      expect([answer.status, error]).to.deep.equal([422, 'validation_error']);
      expect(message).to.contain(reason);
    }
    const bom = await post('\ufeff{"product_id": 2147483647}', { prefer: 'respond-async' });
    expect(bom.status).to.equal(202);
    await bom.text();
  });

  it('that is too large is payload_too_large, which a sender of 5 MB is answered too', async () => {
    for (const size of [262_145, 5_000_000]) {
      const answer = await post(`{"a":"${'x'.repeat(size)}"}`);
      expect(answer.status).to.equal(413);
      expect(await answer.json()).to.include({ error: 'payload_too_large' });
    }
    const fits = await post(`{"a":"${'x'.repeat(262_144 - 8)}"}`);
    expect(fits.status).to.equal(422);
    await fits.text();
    // Beyond 16 MB the connection is closed, and the answer may be lost with it.
    const answer = await post('x'.repeat(20_000_000)).catch(() => undefined);
    expect(answer?.status ?? 413).to.equal(413);
    await answer?.text().catch(() => undefined);
    expect((await platform.request('GET /healthz')).status).to.equal(200);
  });

  it('that is hardly HTTP is answered, and harms nobody', async () => {
    const requests = [
      'GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET //// HTTP/1.1\r\nHost: a\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /%c0%ae%c0%ae/ HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'FOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'POST http://a/api/v1/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}',
      'POST /api/v1/mcp HTTP/1.1\r\nHost: a b\r\nContent-Length: 2\r\n\r\n{}',
      'POST /api/v1/agent/register HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      'POST /api/v1/agent/register HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'POST /api/v1/agent/register HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ];
    for (const text of requests) {
      const answer = await raw(text);
      expect(answer, text.slice(0, 60)).to.match(/^HTTP\/1\.1 [24]\d\d /);
    }
    await raw(
      'POST /api/v1/agent/register HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
      true,
    );
    expect((await platform.request('GET /healthz')).status).to.equal(200);
  });

  /** The beginning of the answer to these very bytes; with `disconnect`, ends the connection. */
  function raw(text: string, disconnect = false): Promise<string> {
    const { hostname, port } = new URL(platform.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(text);
        if (disconnect) socket.end();
      });
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
        if (!disconnect) socket.destroy();
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
  }
});
