import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

const DOCUMENTS = [
  '/openapi.json',
  '/openai-schema.json',
  '/llms.txt',
  '/.well-known/mcp.json',
  '/api-docs',
  '/api-docs/page.js',
  '/api-docs/swagger-ui-bundle.js',
];

describe('documents', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  /** Without what fetch adds and unpacks. */
  function get(path: string, headers: Record<string, string> = {}) {
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
      (resolve, reject) => {
        const sent = request(platform.url + path, { headers }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({
              status: answer.statusCode!,
              headers: answer.headers,
              body: Buffer.concat(chunks),
            }),
          );
        });
        sent.on('error', reject).end();
      },
    );
  }

  it('are sent compressed to those that accept it, and as they are to others', async () => {
    for (const path of DOCUMENTS) {
      const plain = await get(path);
      expect(plain.headers['content-encoding'], path).to.equal(undefined);
      const packed = await get(path, { 'accept-encoding': 'gzip, br' });
      expect(packed.headers['content-encoding'], path).to.equal('gzip');
      expect(packed.headers['vary'], path).to.contain('Accept-Encoding');
      expect(gunzipSync(packed.body).equals(plain.body), path).to.equal(true);
    }
    const [plain, packed] = [await get('/openapi.json'), (await get('/openapi.json', GZIP)).body];
    expect(packed.length).to.be.below(plain.body.length / 5);
  });

  it('are not sent again to those that have them', async () => {
    for (const path of DOCUMENTS) {
      const { headers } = await get(path, GZIP);
      const etag = String(headers['etag']);
      expect(etag, path).to.match(/^W\/"[\w-]{22}"$/);
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, again.body.length, again.headers['etag']], path).to.deep.equal([
        304,
        0,
        etag,
      ]);
      expect((await get(path, { 'if-none-match': 'W/"another"' })).status, path).to.equal(200);
    }
  });
});

const GZIP = { 'accept-encoding': 'gzip' };
