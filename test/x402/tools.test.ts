import { expect } from 'chai';

import { openScene, payer, type Scene } from './scene.ts';
import { encoded, signed } from './signed.ts';

const EMAIL = 'not-an-address'; // judged by its syntax, for $0.002

describe('a tool call that is paid by x402', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());

  /** `tools/call` by a client without a key. */
  async function callTool(meta: object, email = EMAIL, key?: string) {
    const { body } = await scene.platform.request('POST /api/v1/mcp', {
      key,
      headers: { accept: 'application/json' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'validate_email', arguments: { email }, _meta: meta },
      },
    });
    return body.result;
  }

  it('says beside the refusal of a missing key what it costs, twice, as x402 wants', async () => {
    const { isError, structuredContent, content } = await callTool({});
    expect(isError).to.equal(true);
    expect(JSON.parse(content[0].text)).to.deep.equal(structuredContent);
    expect(structuredContent).to.include({ error: 'authentication_required', x402Version: 2 });
    expect(structuredContent.accepts[0].amount).to.equal('2000');
    expect(structuredContent.resource.url).to.equal('mcp://tool/validate_email');
    const wrong = await callTool({}, ' ');
    expect(wrong.structuredContent).to.not.have.property('accepts');
  });

  it('is served with the payment in _meta, with the receipt there', async () => {
    const { wallet, address } = await payer(scene);
    const { v2 } = await signed(scene, wallet);
    const before = await scene.evm.balanceOf(scene.payTo);
    const { isError, structuredContent, _meta } = await callTool({ 'x402/payment': v2 });
    expect([isError, structuredContent.charged]).to.deep.equal([undefined, 0.002]);
    expect(_meta['x402/payment-response']).to.include({ success: true, payer: address });
    expect((await scene.evm.balanceOf(scene.payTo)) - before).to.equal(2_000n);
    const other = await callTool({ 'x402/payment': v2 }, 'another');
    expect(other.structuredContent.error).to.equal('payment_used');
  });

  it('adds to the wallet of its key what is missing there', async () => {
    const { platform } = scene;
    const { key } = await platform.agent();
    const spend = { tool: 'task_post', params: { title: 'A', description: 'B', budget: 0.499 } };
    expect((await platform.request('POST /api/v1/mcp/call', { key, body: spend })).status).to.equal(
      200,
    );
    const refused = (await callTool({}, EMAIL, key)).structuredContent;
    expect([refused.error, refused.accepts[0].amount]).to.deep.equal([
      'insufficient_balance',
      '1000',
    ]);
    const { v2 } = await signed(scene, (await payer(scene)).wallet, { usd: 0.001 });
    expect((await callTool({ 'x402/payment': v2 }, EMAIL, key)).isError).to.equal(undefined);
    expect(await platform.balance({ key })).to.equal(0);
  });

  it('is served by a single call with the payment in its header', async () => {
    const { v1 } = await signed(scene, (await payer(scene)).wallet);
    const reply = await scene.platform.request('POST /api/v1/mcp/call', {
      headers: { 'x-payment': encoded(v1) },
      body: { tool: 'validate_email', params: { email: EMAIL } },
    });
    expect([reply.status, reply.body.structuredContent.charged]).to.deep.equal([200, 0.002]);
  });
});
