import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

/** Inputs as large as a body may hold. Judged one by one, they hold all callers up. */
describe('an input that is too large', () => {
  let platform: TestPlatform;
  let agent: { key: string };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    agent = await platform.agent();
  });
  after(() => platform.close());

  const many = Array.from({ length: 39_000 }, () => 1);
  const rest = (route: string, body: object) => platform.request(route, { key: agent.key, body });

  async function refused(route: string, body: object) {
    const reply = await rest(route, body);
    expect(reply.status).to.equal(422);
    expect(reply.body.error).to.equal('validation_error');
    return reply.body.details.fields;
  }

  it('is refused for its size, and what is in it is not judged', async () => {
    expect(await refused('POST /api/v1/agent/keys', { name: 7, scopes: many })).to.deep.equal([
      { pointer: '/scopes', message: 'must have at most 3 items' },
    ]);
    const text = 'ä'.repeat(120_000);
    expect(
      await refused('POST /api/v1/email/validate', { emails: ['a', 'b', text] }),
    ).to.deep.equal([{ pointer: '/emails/2', message: 'must have at most 320 characters' }]);
    const fields = Object.fromEntries(many.slice(0, 990).map((one, n) => [`f${n}`, one]));
    expect(await refused('POST /api/v1/agent/keys', fields)).to.deep.equal([
      { pointer: '', message: 'has more than 20 unknown fields' },
    ]);
  });

  it('is refused so in a tool call too, and left out by one that only reads', async () => {
    const call = (params: object) =>
      rest('POST /api/v1/mcp/call', { tool: 'validate_emails', params });
    const { body } = await call({ emails: many });
    expect(body.structuredContent.details.fields).to.deep.equal([
      { pointer: '/emails', message: 'must have at most 1000 items' },
    ]);
    const fields = Object.fromEntries(many.slice(0, 990).map((one, n) => [`f${n}`, one]));
    const refused = await call(fields);
    expect(refused.body.structuredContent.details.fields).to.deep.equal([
      { pointer: '', message: 'has more than 20 unknown fields' },
    ]);
    const read = await rest('POST /api/v1/mcp/call', { tool: 'get_wallet', params: fields });
    expect(read.body.structuredContent.ignored).to.have.length(20);
  });

  it('is reported with twenty fields at most where its size is right', async () => {
    const fields = await refused('POST /api/v1/email/validate', { emails: many.slice(0, 1_000) });
    expect(fields).to.have.length(20);
    expect(fields[19]).to.deep.equal({ pointer: '/emails/19', message: 'must be string' });
  });
});
