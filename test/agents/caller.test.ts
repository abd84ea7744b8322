import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { TestPlatform, type Reply } from '../harness.ts';
import { mistyped } from './mistyped.ts';
import { childOf } from './child.ts';

const ME = 'GET /api/v1/agent/me';

describe('the caller', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  const expectRefusal = ({ status, body, text }: Reply, code: number, error: string) => {
    expect(status).to.equal(code);
    expect(body).to.include({ success: false, error });
    expect(text).to.not.match(/vnx_[0-9A-Za-z]/);
  };
  const withChecksum = (start: string) => start + crc32(start).toString(16).padStart(8, '0');

  it('needs a key, and the refusal names how to get one', async () => {
    const reply = await platform.request(ME);
    expectRefusal(reply, 401, 'authentication_required');
    expect(reply.body.next_actions[0].tool).to.equal('register_agent');
  });

  it('needs a key that can be read as one', async () => {
    const { key } = await platform.agent();
    for (const authorization of [key, `Token ${key}`, 'Bearer', `Bearer ${key} more`]) {
      const reply = await platform.request(ME, { headers: { authorization } });
      expectRefusal(reply, 401, 'authentication_required');
    }
  });

  it('is refused garbage, a long text and a key with a wrong checksum', async () => {
    const { key } = await platform.agent();
    for (const wrong of ['garbage', 'vnx_', 'x'.repeat(8_000), mistyped(key)]) {
      expectRefusal(await platform.request(ME, { key: wrong }), 401, 'invalid_key');
    }
  });

  it('is refused a well-made key that nobody was given', async () => {
    const secret = randomBytes(32).toString('base64url');
    const key = withChecksum(`vnx_AAAAAAAA_${secret}`);
    expectRefusal(await platform.request(ME, { key }), 401, 'invalid_key');
  });

  it('is refused a key whose public part is known and whose secret is not, seen before or not', async () => {
    const { key } = await platform.agent();
    const forged = withChecksum(key.slice(0, 13) + randomBytes(32).toString('base64url'));
    expectRefusal(await platform.request(ME, { key: forged }), 401, 'invalid_key');
    expect((await platform.request(ME, { key })).status).to.equal(200);
    expectRefusal(await platform.request(ME, { key: forged }), 401, 'invalid_key');
    expect((await platform.request(ME, { key })).status).to.equal(200);
  });

  it('of a child may not do what is the owner\u2019s, whatever its key allows', async () => {
    const child = await childOf(platform, await platform.agent());
    expect((await platform.request(ME, { key: child.key })).status).to.equal(200);
    const reply = await platform.request('GET /api/v1/agent/keys', { key: child.key });
    expectRefusal(reply, 403, 'forbidden');
  });

  it('is refused with the scopes that are needed and which the key has', async () => {
    const key = await platform.keyOf(await platform.agent(), ['sell']);
    const reply = await platform.request('GET /api/v1/wallet', { key });
    expectRefusal(reply, 403, 'insufficient_scope');
    expect(reply.body.details).to.eql({ required: ['read'], granted: ['sell'] });
  });
});
