import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { checkDataset } from '../../shared/domains/datasets/check_dataset.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { perform } from '../../shared/performing/perform.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { access, checked, mine, offer, rotate, serveFile } from './offer.ts';
import { patience } from '../platform/pace.ts';

const CSV = 'city,people\nOslo,717710\n';
const OPEN_CHECKS = `select id from job where operation = 'check_dataset' and status = 'pending'`;
const SHA256 = createHash('sha256').update(CSV).digest('hex');

describe('datasets of links', () => {
  let platform: TestPlatform;
  let file: Awaited<ReturnType<typeof serveFile>>;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;
  let buyer: typeof seller;
  before(async () => {
    file = await serveFile(CSV);
    platform = await TestPlatform.open({
      env: { EGRESS_ALLOW: file.url.replace(/^http:\/\/(.*)\/.*$/, '$1') },
    });
    seller = await platform.agent();
    buyer = await platform.agent({ usd: 20 });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await Promise.all([platform.close(), file.close()]);
  });

  const refusalOf = async (reply: ReturnType<typeof access>) => {
    const { status, body } = await reply;
    return `${status} ${body.error}`;
  };
  const openings = (id: number) =>
    platform.query(
      `select agent_id::int from opening where object_kind = 'dataset' and object_id = $1`,
      [id],
    );
  const eventsAbout = async (agent: { id: number }, id: number): Promise<string[]> => {
    const found = await platform.query(
      `select type from event where agent_id = $1 and object_kind = 'dataset' and object_id = $2
        order by id`,
      [agent.id, id],
    );
    return found.map(({ type }: { type: string }) => type);
  };

  it('are on sale when it was fetched once, and tell its size and SHA-256', async () => {
    const asked = file.asked();
    const url = { url: file.url, sha256: SHA256.toUpperCase() };
    const made = await offer(platform, seller, { type: 'url', price: 1, url });
    const id = made.dataset_id;
    expect(made).to.include({ status: 'checking', product_id: null, version: 1 });
    const { product_id, size_bytes } = await checked(platform, seller, id);
    expect(size_bytes).to.equal(CSV.length);
    await buy(platform, buyer, { id: product_id });
    expect((await access(platform, buyer, id)).body).to.deep.equal({
      dataset_id: id,
      version: 1,
      type: 'url',
      status: 'active',
      untrusted: true,
      url: file.url,
      expires_at: null,
      sha256: SHA256,
      size_bytes: CSV.length,
      content_type: 'text/csv',
    });
    expect(file.asked()).to.equal(asked + 1);

    const soldAt = () => platform.query('select sold_at from dataset where id = $1', [id]);
    const before = await soldAt();
    await rotate(platform, seller, id, { url });
    expect((await checked(platform, seller, id)).version).to.equal(2);
    expect(await soldAt()).to.deep.equal(before);
  });

  for (const [what, url, fault] of [
    ['another SHA-256', { sha256: 'a'.repeat(64) }, `The SHA-256 of the file is ${SHA256}`],
    ['another size', { size_bytes: 1 }, 'The file has 24 bytes, not 1.'],
    ['a private address', { url: 'http://10.0.0.1/x' }, '10.0.0.1 does not lead to a public'],
    ['a name of none', { url: 'http://nowhere.example/x' }, 'It cannot be reached'],
  ] as const) {
    it(`to ${what} fail, and say why to their seller alone`, async () => {
      const fields = { type: 'url', url: { url: file.url, ...url } };
      const { dataset_id: id } = await offer(platform, seller, fields);
      const { status, newest } = await checked(platform, seller, id);
      expect([status, newest.status]).to.deep.equal(['failed', 'failed']);
      expect(newest.fault).to.include(fault);
      expect(await refusalOf(access(platform, buyer, id))).to.equal('404 not_found');
      expect(await refusalOf(access(platform, seller, id))).to.equal('409 invalid_transition');
      expect(await eventsAbout(seller, id)).to.deep.equal(['dataset.failed']);
    });
  }

  it('that are renewed deliver what is new once it has passed its check, and forget the rest', async () => {
    const { dataset_id: id } = await offer(platform, seller, {
      type: 'url',
      url: { url: file.url },
    });
    await checked(platform, seller, id);
    const bad = { url: { url: file.url, size_bytes: 1 } };
    expect((await rotate(platform, seller, id, bad)).body).to.include({
      version: 2,
      status: 'checking',
    });
    expect((await checked(platform, seller, id)).newest).to.include({ status: 'failed' });
    expect((await access(platform, buyer, id)).body.version).to.equal(1);
    const { body } = await platform.request('GET /api/v1/datasets?type=url', { key: buyer.key });
    const offered = body.datasets.find((one: { dataset_id: number }) => one.dataset_id === id);
    expect(offered).to.include({ version: 1, status: 'active' }).and.not.have.property('newest');

    const good = { url: { url: `${file.url}?new` } };
    await rotate(platform, seller, id, good);
    expect(await checked(platform, seller, id)).to.include({ version: 3, status: 'active' });
    expect((await access(platform, buyer, id)).body).to.include({ version: 3, ...good.url });
    const left = await platform.query('select version from dataset_part where dataset_id = $1', [
      id,
    ]);
    expect(left).to.deep.equal([{ version: 3 }]);

    expect(await refusalOf(rotate(platform, buyer, id, good))).to.equal('403 forbidden');
    expect(await refusalOf(rotate(platform, seller, id, { data: [1] }))).to.equal(
      '422 validation_error',
    );
  });

  it('whose link has ended are not recorded as opened, so they can be given back', async () => {
    const ends = new Date(Date.now() + patience(2_000)).toISOString();
    const url = { url: file.url, expires_at: ends };
    const { dataset_id: id } = await offer(platform, seller, { type: 'url', url });
    await checked(platform, seller, id);
    await eventually(
      () => access(platform, buyer, id),
      ({ status }) => status === 409,
    );
    const before = await openings(id);
    expect(await refusalOf(access(platform, buyer, id))).to.equal('409 invalid_transition');
    expect(await openings(id)).to.deep.equal(before);
  });

  it('may be checked twice, by a worker that was taken for dead: the first result counts', async () => {
    const held: ServerResponse[] = [];
    file.behave((res) => void held.push(res));
    const reached = (checks: number) =>
      eventually(
        async () => held.length,
        (now) => now === checks,
      );
    const url = { url: file.url };
    const { dataset_id: id } = await offer(platform, seller, { type: 'url', price: 1, url });
    await reached(1);
    const call = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const input = { dataset_id: id, version: 1 };
    const second = perform(platform.context, checkDataset as never, input, call);
    await reached(2);
    for (const res of held) res.setHeader('content-type', 'text/csv').end(CSV);
    expect((await second)!.body).to.deep.equal({ status: 'active' });
    await checked(platform, seller, id);
    await eventually(
      () => platform.query(OPEN_CHECKS),
      (open) => open.length === 0,
    );
    expect(await eventsAbout(seller, id)).to.deep.equal(['dataset.active']);
  });

  it('are checked one version at a time', async () => {
    file.behave(() => undefined); // No answer.
    const { dataset_id: id } = await offer(platform, seller, {
      type: 'url',
      url: { url: file.url },
    });
    const again = rotate(platform, seller, id, { url: { url: file.url } });
    expect(await refusalOf(again)).to.equal('409 invalid_transition');
    expect((await mine(platform, seller, id)).status).to.equal('checking');
  });
});
