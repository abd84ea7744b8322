import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';

const ROUTE = 'POST /api/v1/agent/register';
const PASSWORD = 'correct horse battery';

describe('register_agent', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const someone = (changes: object = {}) => {
    const username = `r${randomUUID().slice(0, 12)}`;
    return { username, email: `${username}@example.com`, password: PASSWORD, ...changes };
  };
  const register = (body: object) => platform.request(ROUTE, { body });
  const countAgents = async () =>
    (await platform.query('select count(*)::int as n from agent'))[0].n as number;

  it('opens an account with a key that works and $0.50 to spend', async () => {
    const body = someone();
    const answer = await register(body);

    expect(answer.status).to.equal(200);
    expect(answer.body).to.have.all.keys('success', 'agent_id', 'username', 'balance', 'api_key');
    expect(answer.body).to.include({ success: true, username: body.username, balance: 0.5 });
    expect(answer.body.api_key.key).to.match(/^vnx_/);
    expect(answer.body.api_key.warning).to.be.a('string').with.length.above(0);

    const me = await platform.request('GET /api/v1/agent/me', { key: answer.body.api_key.key });
    expect(me.body).to.include({ agent_id: answer.body.agent_id, username: body.username });
    expect(me.body.scopes).to.have.members(['read', 'buy', 'sell']);
    expect(await platform.balance({ key: answer.body.api_key.key })).to.equal(0.5);
  });

  it('gives nobody the name of those who run the marketplace', async () => {
    const agents = await countAgents();
    for (const username of ['operator', 'Admin', 'ROOT', 'null']) {
      const { status, body } = await register(someone({ username }));
      expect(status).to.equal(422);
      expect(body.details.fields[0]).to.deep.include({ pointer: '/username' });
    }
    expect(await countAgents()).to.equal(agents);
    expect((await register(someone({ username: `operator${agents}` }))).status).to.equal(200);
  });

  it('opens an account by a tool call too, and none with a field that it does not know', async () => {
    const unknown = someone({ reason: 'I was told to' });
    const refused = await platform.request('POST /api/v1/mcp/call', {
      body: { tool: 'register_agent', params: unknown },
    });
    expect([refused.status, refused.body.structuredContent.error]).to.deep.equal([
      422,
      'validation_error',
    ]);
    const params = someone();
    const { status, body } = await platform.request('POST /api/v1/mcp/call', {
      body: { tool: 'register_agent', params },
    });
    expect(status).to.equal(200);
    const { api_key: apiKey } = body.structuredContent;
    const me = await platform.request('POST /api/v1/mcp/call', {
      key: apiKey.key,
      body: { name: 'agent_me', parameters: {} },
    });
    expect(me.body.structuredContent.username).to.equal(params.username);
  });

  it('keeps answers that hold a key out of every cache', async () => {
    const { headers } = await register(someone());
    expect(headers.get('cache-control')).to.include('no-store');
  });

  it('names a taken username or email, however it is capitalised, and both at once', async () => {
    const first = someone();
    await register(first);
    const agents = await countAgents();
    const username = first.username.toUpperCase();
    const email = first.email.toUpperCase();

    for (const [changes, pointers] of [
      [{ username }, ['/username']],
      [{ email }, ['/email']],
      [{ username, email }, ['/username', '/email']],
    ] as const) {
      const { status, body } = await register(someone(changes));
      expect(status).to.equal(422);
      expect(body.error).to.equal('validation_error');
      expect(body.details.fields.map(({ pointer }: { pointer: string }) => pointer)).to.eql(
        pointers,
      );
    }
    expect(await countAgents()).to.equal(agents);
  });

  const refused: Record<string, [field: string, value: unknown][]> = {
    username: [
      ['a name that is too short', 'ab'],
      ['a name that is too long', 'a'.repeat(33)],
      ['a name that starts with a dash', '-abc'],
      ['a name with a space', 'a b c'],
      ['a name with an invisible character', 'ad\u200ba'],
      ['a name that ends in a line break', 'ada\n'],
      ['a name that is no text', 7],
    ],
    email: [
      ['an address without a domain', 'ada'],
      ['an address with a space', 'a da@example.com'],
      ['an address with a name beside it', 'Ada <ada@example.com>'],
      ['an address at a host without a dot', 'ada@localhost'],
      ['an address whose name begins with a dot', '.ada@example.com'],
      ['an address whose domain is no Punycode', 'ada@xn--zzzzzz99999999.com'],
      ['an address that is too long', `${'a'.repeat(60)}@${'b'.repeat(60)}.`.repeat(3) + 'com'],
    ],
    password: [
      ['a password that is too short', 'seven-7'],
      ['a password that is too long', 'x'.repeat(129)],
    ],
  };
  for (const [field, values] of Object.entries(refused)) {
    for (const [what, value] of values) {
      it(`refuses ${what}, by the name of its field`, async () => {
        const { status, body, text } = await register(someone({ [field]: value }));
        expect(status).to.equal(422);
        expect(body.error).to.equal('validation_error');
        for (const { pointer } of body.details.fields) expect(pointer).to.equal(`/${field}`);
        expect(text).to.not.include(PASSWORD);
        if (field === 'password') expect(text).to.not.include(value);
      });
    }
  }

  it('says in words, and not as a regular expression, what a name must be', async () => {
    const { body } = await register(someone({ username: 'a b c' }));
    expect(body.message)
      .to.include('Letters, digits and _ . - after the first character')
      .and.not.match(/[\\^$*]/);
  });

  it('names every missing and every unknown field', async () => {
    const { status, body } = await register({ role: 'admin' });
    expect(status).to.equal(422);
    expect(body.details.fields.map(({ pointer }: { pointer: string }) => pointer)).to.have.members([
      '/username',
      '/email',
      '/password',
      '/role',
    ]);
  });

  it('accepts the shortest and the longest that it promises', async () => {
    const unique = randomUUID().replaceAll('-', '');
    const shortest = { username: unique.slice(0, 3), password: 'eight-88' };
    const longest = { username: unique, password: 'é'.repeat(128) };
    expect((await register(someone(shortest))).status).to.equal(200);
    expect((await register(someone(longest))).status).to.equal(200);
  });

  it('ignores an Idempotency-Key, so that no answer with a key in it is kept', async () => {
    const agent = await platform.agent();
    for (const key of [undefined, agent.key]) {
      const headers = { 'idempotency-key': randomUUID() };
      const answers = [
        await platform.request(ROUTE, { key, headers, body: someone() }),
        await platform.request(ROUTE, { key, headers, body: someone() }),
      ];
      expect(answers.map(({ status }) => status)).to.eql([200, 200]);
      const ids = answers.map(({ body }) => body.agent_id);
      expect(ids[0]).to.not.equal(ids[1]);
      const kept = await platform.query(`select from job where operation = 'register_agent'`);
      expect(kept).to.have.length(0);
    }
  });

  it('refuses a wrong key even though it needs none', async () => {
    const { status, body } = await platform.request(ROUTE, { key: 'vnx_wrong', body: someone() });
    expect(status).to.equal(401);
    expect(body.error).to.equal('invalid_key');
  });

  it('gives a name to exactly one of ten who ask for it at once, and one welcome', async () => {
    const { username } = someone();
    const welcomes = async () =>
      (await platform.query(`select ref from ledger.transfer where kind = 'welcome'`))
        .length as number;
    const before = { agents: await countAgents(), welcomes: await welcomes() };

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => register(someone({ username }))),
    );

    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect(status).to.equal(422);
      expect(body.details.fields).to.eql([{ pointer: '/username', message: 'is taken' }]);
    }
    expect(await countAgents()).to.equal(before.agents + 1);
    expect(await welcomes()).to.equal(before.welcomes + 1);
  });

  it('answers each of a hundred who come at once: with an account, or queue_overloaded', async () => {
    const agents = await countAgents();
    const answers = await Promise.all(Array.from({ length: 100 }, () => register(someone())));

    const opened = answers.filter(({ status }) => status === 200);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect(status).to.equal(503);
      expect(body).to.include({ error: 'queue_overloaded', retryable: true });
    }
    expect(opened.length).to.be.at.least(52);
    expect(await countAgents()).to.equal(agents + opened.length);
  });
});
