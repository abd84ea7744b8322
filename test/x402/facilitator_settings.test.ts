import { generateKeyPairSync } from 'node:crypto';

import { expect } from 'chai';

import { facilitators } from '../../shared/domains/x402/facilitators/settings.ts';
import { x402Settings } from '../../shared/domains/x402/settings.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { exceptionOf } from '../../shared/platform/egress/addresses.ts';
import { openX402 } from '../../workers/gateways/x402/x402.ts';
import { guardedFacilitator } from './guarded_facilitator.ts';

const URL = 'https://facilitator.example.com';
const KEY = { url: URL, key_id: 'key-1' };
const SET = { X402_RPC_URL: 'http://127.0.0.1:9', X402_PAY_TO: `0x${'12'.repeat(20)}` };

const read = (env: Record<string, string>) => readEnvironment(x402Settings, { ...SET, ...env });
const list = (...entries: object[]) => JSON.stringify(entries);

describe('the settings of facilitators', () => {
  it('are one alone, a list, or both in this order', () => {
    const alone = { X402_FACILITATOR_URL: `${URL}/x402/`, X402_FACILITATOR_TOKEN: 'of the first' };
    const access = { kind: 'token', token: 'of the first' };
    const first = { name: 'facilitator.example.com', url: `${URL}/x402`, access };
    expect(read(alone)!.facilitators).to.deep.equal([first]);
    const second = { name: 'other.example.com', url: 'https://other.example.com' };
    const X402_FACILITATORS = list({ url: second.url });
    const none = { ...second, access: { kind: 'none' } };
    expect(read({ X402_FACILITATORS })!.facilitators).to.deep.equal([none]);
    expect(read({ ...alone, X402_FACILITATORS })!.facilitators).to.deep.equal([first, none]);
    expect(read({})).to.equal(undefined);
  });

  it('are refused where they are wrong, and no message repeats a secret', () => {
    const secret = 'a-secret-that-nobody-may-read';
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const pem = (key: typeof rsa) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
    const mixed = Buffer.alloc(64, 7).toString('base64'); // Its halves are of two keys.
    for (const [text, message] of [
      [secret, 'must be a list in JSON'],
      [JSON.stringify({ url: URL, token: secret }), 'must be a list in JSON'],
      ['[]', 'must be a list in JSON'],
      [list({ url: URL, password: secret }), 'must be a list in JSON'],
      [`[{'url':'${URL}','token':'${secret}'}]`, 'this is no JSON'],
      [list({ url: URL }, { url: URL, Token: secret }), 'entry 2 is none'],
      [list({ url: `ftp://${secret}` }), 'entry 1: must be a URL'],
      [list({ url: `https://me:${secret}@other.example.com` }), 'without a user'],
      [list({ url: `${URL}/?key=${secret}` }), 'and a query'],
      [list({ url: URL, token: `${secret}\r\nx: y` }), 'entry 1: token must be ASCII'],
      [list({ url: URL }, { ...KEY, token: secret, key_secret: secret }), 'entry 2: has a token'],
      [list(KEY), 'needs both key_id and key_secret'],
      ...[secret, pem(rsa), pem(curve), mixed].map(
        (key_secret) => [list({ ...KEY, key_secret }), 'key_secret must be a private key'] as const,
      ),
      [list({ url: URL }, { url: `${URL}/other` }), 'names two facilitators at one host'],
      [list(...Array(6).fill({ url: URL })), 'names more than 5 facilitators'],
    ] as const) {
      let fault = '';
      try {
        read({ X402_FACILITATORS: text });
      } catch (error) {
        fault = (error as Error).message;
      }
      expect(fault).to.contain('X402_FACILITATORS').and.to.contain(message);
      expect(fault).not.to.contain(secret).and.not.to.contain('PRIVATE KEY');
    }
  });

  it('are refused in production where a secret would go to a public host by http', () => {
    const token = 'a-token-that-nobody-may-read';
    const faultOf = (url: string, access: object = { token }, NODE_ENV = 'production') => {
      try {
        read({ NODE_ENV, X402_FACILITATORS: list({ url, ...access }) });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const { privateKey } = generateKeyPairSync('ed25519');
    const key_secret = privateKey.export({ format: 'pem', type: 'pkcs8' });
    for (const url of ['http://f.example.com', 'http://198.41.0.4', 'http://[2620:0:861::1]']) {
      expect(faultOf(url), url).to.contain('would be sent its token by http');
      expect(faultOf(url), url).not.to.contain(token);
      expect(faultOf(url, { key_id: 'k', key_secret }), url).to.contain('its jwt by http');
      expect(faultOf(url, {}), url).to.equal('');
      expect(faultOf(url, { token }, 'development'), url).to.equal('');
    }
    for (const host of ['127.0.0.1:9', '10.0.0.7', '[fd00::1]', 'facilitator:8080', 'f.internal']) {
      expect(faultOf(`http://${host}`), host).to.equal('');
    }
    expect(faultOf(URL)).to.equal('');
  });

  it('say which token is sent to which facilitator', async () => {
    const token = 'its.static.token';
    const guarded = await guardedFacilitator('http://127.0.0.1:9', ({ authorization }) =>
      [`Bearer ${token}`].includes(authorization ?? ''),
    );
    guarded.answer('/supported', {
      status: 200,
      body: '{"kinds":[{"x402Version":1,"scheme":"exact","network":"base"}]}',
    });
    try {
      const of = async (entry: object) => {
        const x402 = { ...read({ X402_FACILITATOR_URL: URL })! };
        const rail = { ...x402, facilitators: facilitators(list({ url: guarded.url, ...entry })) };
        const egress = openEgress({
          egressAllow: [exceptionOf('127.0.0.0/8')],
          dnsServers: [],
        } as never);
        const [answer] = await openX402({ x402: rail }, egress, {} as never).supported();
        return answer!.fault;
      };
      expect(await of({ token })).to.equal(null);
      expect(await of({})).to.contain('status 401');
      expect(await of({ token: 'another' })).to.equal(
        'it answers with status 401 and not as x402 says',
      );
    } finally {
      await guarded.close();
    }
  });
});
