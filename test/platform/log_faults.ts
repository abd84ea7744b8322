/**
 * Logs real faults whose objects hold secrets, in every way that the code of the marketplace logs,
 * at the most verbose level: a process, because the log writes to stdout.
 */
import { request } from 'node:http';
import { Redis } from 'ioredis';
import pg from 'pg';

import { databaseOf } from '../../shared/platform/database.ts';
import { openLog, throttled } from '../../shared/platform/log.ts';
import type { LogSecrets } from './log.test.ts';

const secrets = JSON.parse(process.env.LOG_SECRETS!) as LogSecrets;
const { apiKey, proxyKey, masterKey, stripeKey, hookSecret, token, password, content } = secrets;
const log = openLog('trace', 'test');

/** The error that this work throws. */
const thrownBy = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => {
        throw new Error('nothing was thrown');
      },
      (error: unknown) => error,
    );

const database = await databaseOf(process.env.TEST_POSTGRES_URL!, 1).initialize();
const redis = new Redis(process.env.TEST_REDIS_URL!);
const url = new URL(process.env.TEST_POSTGRES_URL!);
url.password = password;

const faults = [
  // Its object holds the statement and the parameters.
  await thrownBy(() => database.query('select $1, $2::text from nowhere', [content, password])),
  // Its object holds the command.
  await thrownBy(async () => {
    await redis.set('text', content);
    await redis.lpush('text', content, password, apiKey);
  }),
  await thrownBy(() => new pg.Client({ connectionString: url.href }).connect()),
  // Its message holds the URL.
  await thrownBy(() => fetch(`http://agent:${password}@127.0.0.1/`)),
  // Its message holds the header.
  await thrownBy(() =>
    fetch('http://127.0.0.1/', { headers: { authorization: `Bearer ${token}\nx` } }),
  ),
  await thrownBy(() => request({ headers: { 'stripe-signature': `${hookSecret}\n` } })),
  new Error(`Stripe refused ${stripeKey}, and ${hookSecret} is no secret of a webhook`),
  new Error(`the master key k1:${masterKey} is used twice in k1:${masterKey},k2:${masterKey}`),
  new Error('a cause', { cause: new Error(`the key ${apiKey}`) }),
  new AggregateError([new Error(proxyKey), new Error(content)], `keys ${apiKey} and ${proxyKey}`),
  Object.assign(new Error('an exchange'), { headers: { authorization: token }, body: content }),
  `redis+sentinel://:${password}@a,b/market?sentinel_password=${password}&db=1 of ${proxyKey}`,
  { password, content },
];
const warn = throttled(log);
for (const [n, err] of faults.entries()) {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) {
    log[level]({ err, n }, `a fault of ${apiKey}, of Basic ${token} and of Bearer ${token}`);
  }
  warn(`fault ${n}`, err);
  warn(`fault ${n}`, err);
}
const fields = { password, authorization: `Bearer ${token}`, key: apiKey, api_key: apiKey };
log.info({ ...fields, request: { password, authorization: token } }, 'fields with secrets');
log.child(fields).info('a child with secrets');
const ids = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
let active: object | undefined = ids;
const traced = openLog('info', 'test', () => active);
traced.info(fields, 'in a trace');
active = undefined;
traced.info('in none');

await database.destroy();
redis.disconnect();
