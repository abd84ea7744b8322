import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';

import { newSecret, signedHeaders } from '../../shared/domains/webhooks/signature.ts';
import { ROOT } from '../sources.ts';
import type { ClientModule } from './built.ts';

const EVENT = { id: 'evt_7', type: 'order.created', object: { kind: 'order', id: 3 } };
const body = JSON.stringify(EVENT);

describe('what the typed client takes for an event', () => {
  let client: ClientModule;
  const secret = newSecret();
  const sign = (now = new Date(), secrets = [secret]) =>
    signedHeaders(secrets, { id: EVENT.id, body, now });
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  before(async () => {
    client = await import(pathToFileURL(join(ROOT, 'client/src/webhooks.ts')).href);
  });

  const isRefused = async (message: object, secrets: unknown = secret) => {
    const outcome = await client
      .verifyEvent({ body, headers: sign(), ...message }, secrets)
      .catch((error: unknown) => error);
    expect(outcome).to.be.an.instanceof(client.NotVerified);
  };

  it('is what the marketplace signs, however the headers are held', async () => {
    const headers = sign();
    for (const held of [headers, new Headers(headers), { ...headers, host: ['a', 'b'] }]) {
      expect(await client.verifyEvent({ body, headers: held }, secret)).to.deep.equal(EVENT);
    }
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    const named = Object.fromEntries(upper);
    expect(await client.verifyEvent({ body, headers: named }, secret)).to.deep.equal(EVENT);
  });

  it('is what the library of Standard Webhooks signs', async () => {
    const now = new Date();
    const headers = {
      'webhook-id': EVENT.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(EVENT.id, now, body),
    };
    expect(await client.verifyEvent({ body, headers }, secret)).to.deep.equal(EVENT);
  });

  it('is signed by one of several secrets, while they are rotated', async () => {
    const old = newSecret();
    const headers = sign(new Date(), [newSecret(), old]);
    const event = await client.verifyEvent({ body, headers }, [secret, old]);
    expect(event).to.deep.equal(EVENT);
    await isRefused({ headers });
  });

  it('is not what was changed, is old, or is signed by another', async () => {
    await isRefused({ body: body.replace('evt_7', 'evt_8') });
    await isRefused({ headers: { ...sign(), 'webhook-id': 'evt_8' } });
    await isRefused({ headers: sign(secondsAgo(310)) });
    await isRefused({ headers: sign(secondsAgo(-310)) });
    await isRefused({ headers: { ...sign(), 'webhook-timestamp': 'soon' } });
    await isRefused({ headers: { ...sign(), 'webhook-signature': 'v1,%%% v2,AAAA nothing' } });
    await isRefused({ headers: {} });
    await isRefused({}, newSecret());
  });

  it('needs a secret that is one', async () => {
    const outcome = await client
      .verifyEvent({ body, headers: sign() }, 'secret')
      .catch((error: unknown) => error);
    expect(outcome).to.be.an.instanceof(TypeError);
  });
});
