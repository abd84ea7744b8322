import { randomBytes } from 'node:crypto';

import { expect } from 'chai';
import Provider from 'oidc-provider';

import { openProvider } from '../../../api/oauth/provider.ts';
import { findItem, putItem, replaceItem } from '../../../shared/domains/connections/oauth_items.ts';
import { TestPlatform } from '../../harness.ts';

describe('what the authorization server keeps', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  const put = async (expiresAt = new Date(Date.now() + 60_000)) => {
    const id = randomBytes(32).toString('base64url');
    const payload = { returnTo: `https://market.example/oauth/authorize/${id}`, kind: 'x' };
    await putItem(platform.context.database, { model: 'Interaction', id, payload, expiresAt });
    return { id, payload };
  };
  const find = (id: string, model = 'Interaction', graceSeconds = 0) =>
    findItem(platform.context.database, { model, id, graceSeconds });

  it('is found by its id, which is nowhere in the table', async () => {
    const { id, payload } = await put();
    expect((await find(id))!.payload).to.deep.equal({ ...payload, jti: id });
    const [{ text }] = await platform.query('select json_agg(i)::text as text from oauth_item i');
    expect(text).not.to.contain(id);
  });

  it('is not found as something else, nor after its time', async () => {
    const { id } = await put();
    expect(await find(id, 'RefreshToken')).to.equal(undefined);
    const old = await put(new Date(Date.now() - 1_000));
    expect(await find(old.id)).to.equal(undefined);
  });

  it('is replaced under one master key, by ten at once too', async () => {
    const { id } = await put();
    const { database } = platform.context;
    expect(await find(id)).to.include({ isUsed: false, isUsedLongAgo: false });
    const under = await Promise.all(
      Array.from({ length: 10 }, (_, n) => replaceItem(database, { id, keyId: `key ${n}` })),
    );
    expect(new Set(under).size).to.equal(1);
    expect(await find(id)).to.include({ isUsed: true, isUsedLongAgo: true });
    expect(await find(id, 'Interaction', 60)).to.include({ isUsed: true, isUsedLongAgo: false });
  });

  it('is deleted by a timer when it counts no more', async () => {
    const { id } = await put(new Date(Date.now() - 1_000));
    const forget = platform.context.operations.get('forget_old_rows')!;
    const { inTransaction } = await import('../../../shared/performing/transaction.ts');
    const caller = { agentId: 0, rootId: 0, keyId: 0, scopes: [] };
    const call = { caller, now: new Date(), key: id.slice(0, 36), requestId: 'req_test' };
    await inTransaction(platform.context, call, (tx) => forget.handle(tx, {}, undefined));
    const [{ n }] = await platform.query(
      'select count(*)::int as n from oauth_item where expires_at < now()',
    );
    expect(n).to.equal(0);
  });

  it('has keys as access tokens, by the one method of oidc-provider that is overridden', () => {
    // The overridden methods: if a new version has another there, this says so.
    const plain = new Provider('https://market.example');
    const parent = Object.getPrototypeOf(plain.BaseToken.prototype) as object;
    expect(Object.hasOwn(parent, 'generateTokenId')).to.equal(true);
    const outside = {
      fetchDocument: () => Promise.reject(new Error('nothing is fetched')),
      showProblem: async () => undefined,
    };
    const { AccessToken, RefreshToken } = openProvider(platform.context, outside);
    const token = new AccessToken({} as ConstructorParameters<typeof AccessToken>[0]);
    const ofAccess = token as unknown as { generateTokenId(): string };
    expect(ofAccess.generateTokenId()).to.match(/^vnx_\w{8}_[\w-]{43}[0-9a-f]{8}$/);
    expect(token.format).to.equal('opaque');
    const refresh = new RefreshToken({} as ConstructorParameters<typeof RefreshToken>[0]);
    const ofRefresh = refresh as unknown as { generateTokenId(): string };
    expect(ofRefresh.generateTokenId()).not.to.match(/^vnx_/);
  });
});
