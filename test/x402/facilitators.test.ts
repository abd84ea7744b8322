import { generateKeyPairSync, verify, type KeyObject } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { readPayment, recordedOf } from '../../shared/domains/x402/payments.ts';
import { redisForWorkers, type RedisClient } from '../../shared/platform/redis.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { openX402 } from '../../workers/gateways/x402/x402.ts';
import { openPlatform } from '../faults/children.ts';
import type { Reply, TestPlatform } from '../harness.ts';
import { Scrape } from '../metrics/scrape.ts';
import { runTimer } from '../orders/trade.ts';
import {
  guardedFacilitator,
  type GuardedFacilitator,
  type Request,
} from './guarded_facilitator.ts';
import { openPaying, type Paying } from './scene.ts';
import { paidBy } from './signed.ts';
import { walletWith } from './wallets.ts';

const EMAIL = 'GET /x402/api/v1/email/validate/not-an-address';
const KEY_ID = 'organizations/0a/apiKeys/1b';
const OPERATOR = 'operator-token-of-the-tests';

/** The parts of a token that signs one request, if this key has signed it. */
function tokenIn(authorization: string | undefined, key: KeyObject) {
  const [head = '', claims = '', signature = ''] = (authorization ?? '').slice(7).split('.');
  const [header, claim] = [head, claims].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString() || '{}'),
  );
  const signed = Buffer.from(`${head}.${claims}`);
  const bytes = Buffer.from(signature, 'base64url');
  const isGood =
    header.alg === 'EdDSA'
      ? verify(null, signed, key, bytes)
      : verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes);
  return { header, claims: claim, isGood };
}

/** Lets in as the documents of the largest facilitator say. */
const letsIn =
  (key: KeyObject) =>
  ({ method, at, authorization }: Request) => {
    const { header, claims, isGood } = tokenIn(authorization, key);
    const now = Date.now() / 1_000;
    return (
      isGood &&
      header.kid === KEY_ID &&
      header.typ === 'JWT' &&
      claims.iss === 'cdp' &&
      claims.sub === KEY_ID &&
      claims.aud[0] === 'cdp_service' &&
      claims.nbf <= now &&
      claims.exp > now &&
      claims.exp - claims.nbf <= 120 &&
      claims.uris.length === 1 &&
      claims.uris[0] === `${method} ${at}`
    );
  };

const ED25519 = generateKeyPairSync('ed25519');
const P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { d, x } = ED25519.privateKey.export({ format: 'jwk' });
/** The downloaded form: the seed, and then the public key. */
const IN_BASE64 = Buffer.concat([d!, x!].map((half) => Buffer.from(half, 'base64url'))).toString(
  'base64',
);
const IN_PEM = P256.privateKey.export({ format: 'pem', type: 'sec1' }).toString();

describe('facilitators of payments by x402', () => {
  let paying: Paying;
  let first: GuardedFacilitator;
  let second: GuardedFacilitator;
  let platform: TestPlatform;
  let redis: RedisClient;
  before(async () => {
    paying = await openPaying();
    first = await guardedFacilitator(paying.facilitator.url, letsIn(ED25519.publicKey));
    second = await guardedFacilitator(paying.facilitator.url, letsIn(P256.publicKey));
    platform = await openPlatform({ env: envOf() });
    redis = redisForWorkers(platform.config.redisUrl, platform.context.log);
  });
  after(async () => {
    redis.disconnect();
    await platform.close();
    await Promise.all([first.close(), second.close()]);
    await paying.close();
  });
  afterEach(() => {
    for (const one of [first, second]) {
      for (const path of ['/supported', '/verify', '/settle']) one.answer(path, undefined);
      one.asked.length = 0;
      one.requests.length = 0;
    }
  });

  const entries = () => [
    { url: first.url, key_id: KEY_ID, key_secret: IN_BASE64 },
    { url: second.url, key_id: KEY_ID, key_secret: IN_PEM.replaceAll('\n', '\\n') },
  ];
  const envOf = (list: object[] = entries()) => ({
    ...paying.settings,
    X402_FACILITATOR_URL: '',
    X402_FACILITATORS: JSON.stringify(list),
  });
  const headersOf = async () => paidBy(paying, await walletWith(paying.evm, 1));
  const call = (headers: Record<string, string>): Promise<Reply> =>
    platform.request(EMAIL, { headers });
  const rails = async () =>
    (await platform.request('GET /api/v1/admin/rails', { key: OPERATOR })).body.facilitators;
  /** The gateway of another worker. */
  const another = () => {
    const { config } = platform;
    return openX402(config, openEgress(config), { store: { redis, prefix: platform.prefix } });
  };
  const ids = async () =>
    (await platform.query('select max(id)::int as id from x402_payment')) as [{ id: number }];

  it('are asked with a token for each request, signed by Ed25519 or by ECDSA', async () => {
    expect((await call(await headersOf())).status).to.equal(200);
    expect([first.asked, second.asked]).to.deep.equal([['/verify', '/settle'], []]);
    const tokens = first.requests.map(({ authorization }) =>
      tokenIn(authorization, ED25519.publicKey),
    );
    const nonces = tokens.map(({ header }) => header.nonce);
    expect(new Set(nonces).size).to.equal(2);
    expect(nonces[0]).to.match(/^[0-9a-f]{32}$/);

    first.answer('/verify', { status: 503, body: 'later' });
    expect((await call(await headersOf())).status).to.equal(200);
    expect(second.requests.map(({ at }) => at)).to.deep.equal([
      `${second.host}/platform/v2/x402/verify`,
      `${second.host}/platform/v2/x402/settle`,
    ]);
  });

  it('replace one that does not verify, and its fault is shown without a word of its own', async () => {
    const [, known] = await rails();
    expect(known).to.include({ facilitator: second.host, access: 'jwt', fault: null });
    for (const answer of [
      { status: 401, body: '{"error":"secret words"}' },
      { status: 200, body: '<html>secret words</html>' },
      'closed',
    ] as const) {
      first.answer('/verify', answer);
      const { id } = (await ids())[0];
      const recorded = recordedOf(await readPayment(platform.context.database, id));
      // One of which nothing is noted.
      const verdict = await another().settle({ ...recorded, id: id + 1_000 + first.asked.length });
      const [fault, ...more] = verdict.answers!;
      expect(fault).to.include({ facilitator: first.host, endpoint: 'verify' });
      expect(fault!.fault).to.match(/^(it answers with status (401|200) and not as|no answer \(E)/);
      expect(JSON.stringify(verdict)).not.to.contain('secret words');
      expect(more.map(({ facilitator }) => facilitator)).to.deep.equal(more.map(() => second.host));
      expect(more[0]!.endpoint).to.equal('verify');
    }
  });

  it('end with what the first says that verifies: a refusal is passed to no other', async () => {
    const body = '{"isValid":false,"invalidReason":"insufficient_funds"}';
    first.answer('/verify', { status: 200, body });
    second.answer('/verify', { status: 200, body });
    const reply = await call(await headersOf());
    expect([reply.body.error, reply.body.details.reason]).to.deep.equal([
      'payment_failed',
      'insufficient_funds',
    ]);
    expect(first.asked.length + second.asked.length).to.equal(1);
  });

  it('never get a payment that another was told to settle, whatever became of it', async () => {
    const headers = await headersOf();
    first.answer('/settle', 'closed');
    second.answer('/settle', 'closed');
    const before = await paying.evm.balanceOf(paying.payTo);
    const reply = await call(headers);
    const { reason, charged } = reply.body.details;
    expect([reason, charged]).to.deep.equal(['facilitator_unavailable', null]);
    const [holder, other] = first.asked.includes('/settle') ? [first, second] : [second, first];
    expect(holder.asked).to.deep.equal(['/verify', '/settle']);

    expect(other.asked).to.deep.equal([]);

    // It is away now, and nobody knows what it did.
    holder.answer('/verify', 'closed');
    expect((await call(headers)).body.details.charged).to.equal(null);
    const { id } = (await ids())[0];
    const recorded = recordedOf(await readPayment(platform.context.database, id));
    expect(await another().settle(recorded)).to.include({ isSettled: false });
    expect(other.asked).to.deep.equal([]);

    for (const path of ['/verify', '/settle']) holder.answer(path, undefined);
    expect((await call(headers)).status).to.equal(200);
    expect(other.asked).to.deep.equal([]);
    expect((await paying.evm.balanceOf(paying.payTo)) - before).to.equal(2_000n);
  });

  it('are credited for what they settled without a word', async () => {
    first.answer('/settle', 'closed after');
    second.answer('/settle', 'closed after');
    const before = await paying.evm.balanceOf(paying.payTo);
    expect((await call(await headersOf())).status).to.equal(200);
    expect((await paying.evm.balanceOf(paying.payTo)) - before).to.equal(2_000n);
    expect(first.asked.length + second.asked.length).to.equal(2);
  });

  it('are checked before they are needed, and Rails and the metrics show which fails', async () => {
    const failing = async () => {
      const { text } = await platform.request('GET /metrics', { key: OPERATOR });
      return new Scrape(text).value('market_x402_facilitator_failing_seconds', {
        facilitator: second.host,
      });
    };
    await platform.query('update x402_facilitator set fault = null, failing_since = null');
    expect(await runTimer(platform, 'check_x402_facilitators')).to.deep.equal([{ failing: 0 }]);
    expect(first.requests.map(({ method }) => method)).to.deep.equal(['GET']);
    expect(await failing()).to.equal(0);

    const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:1' }];
    second.answer('/supported', { status: 200, body: JSON.stringify({ kinds }) });
    expect(await runTimer(platform, 'check_x402_facilitators')).to.deep.equal([{ failing: 1 }]);
    const [good, bad] = await rails();
    expect(good).to.include({ facilitator: first.host, fault: null, failing_since: null });
    expect(bad.fault).to.equal('supported: it does not settle "exact" on eip155:8453');
    expect(bad.failing_since).to.match(/^20/);
    expect(await failing()).to.be.greaterThan(0);

    second.answer('/supported', undefined);
    await runTimer(platform, 'check_x402_facilitators');
    expect((await rails())[1]).to.include({ fault: null, failing_since: null });
    expect(await failing()).to.equal(0);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
