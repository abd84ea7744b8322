import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { findOwnerAt } from '../../shared/domains/proxies/sale/key_owners.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';

describe('set_proxy_addresses', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  beforeEach(() => platform.query('delete from proxy_address'));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const set = (key: string, addresses: readonly unknown[]) =>
    platform.request('PUT /api/v1/proxy/my-key/addresses', { key, body: { addresses } });
  const access = async (key: string) =>
    (await platform.request('GET /api/v1/proxy/access', { key })).body;
  const mine = async (key: string) =>
    (await platform.request('GET /api/v1/proxy/my-key', { key })).body;
  const ownerAt = async (address: string) =>
    (await findOwnerAt(platform.context, address))?.caller.agentId;

  it('replaces the addresses that stand for the key of an agent', async () => {
    const { key, id } = await platform.agent();
    expect((await access(key)).addresses).to.deep.equal([]);
    const given = [' 8.8.8.8', '2606:4700:0:0::1111', '8.8.8.8'];
    const { status, body } = await set(key, given);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      addresses: ['8.8.8.8', '2606:4700::1111'],
      last_refusal: null,
    });
    expect(await access(key)).to.deep.equal(body);
    expect((await mine(key)).addresses).to.deep.equal(body.addresses);
    expect([await ownerAt('8.8.8.8'), await ownerAt('2606:4700::1111')]).to.deep.equal([id, id]);
    await set(key, ['9.9.9.9']);
    expect((await access(key)).addresses).to.deep.equal(['9.9.9.9']);
    expect(await ownerAt('8.8.8.8')).to.equal(undefined);
    await set(key, []);
    expect(await ownerAt('9.9.9.9')).to.equal(undefined);
  });

  it('takes up to 16 public addresses, and nothing else', async () => {
    const { key } = await platform.agent();
    await set(key, ['8.8.8.8']);
    const many = Array.from({ length: 17 }, (_, n) => `8.8.4.${n + 1}`);
    for (const addresses of [
      ['10.0.0.1'],
      ['127.0.0.1'],
      ['100.64.0.1'],
      ['169.254.169.254'],
      ['::1'],
      ['fd00::1'],
      ['::ffff:10.0.0.1'],
      ['::ffff:8.8.8.8%eth0'],
      ['8.8.8.8/32'],
      ['8.8.8.1-8.8.8.9'],
      ['8.8.8.0/24'],
      ['8.8.8'],
      ['0x08080808'],
      ['example.com'],
      ['9.9.9.9', '10.0.0.1'],
      many,
    ]) {
      const { status, body } = await set(key, addresses);
      expect([status, body.error], addresses.join()).to.deep.equal([422, 'validation_error']);
    }
    expect((await access(key)).addresses).to.deep.equal(['8.8.8.8']);
    expect((await set(key, many.slice(1))).status).to.equal(200);
  });

  it('says that a range is none, and takes an IPv4 address inside IPv6 as itself', async () => {
    const { key } = await platform.agent();
    for (const range of ['8.8.8.0/24', '8.8.8.8/32', '8.8.8.1-8.8.8.9', '8.8.8.*', '2600::/32']) {
      const { body } = await set(key, ['9.9.9.9', range]);
      expect(body.details.fields, range).to.deep.equal([
        { pointer: '/addresses/1', message: 'must be an IP address, and not a range' },
      ]);
    }
    for (const mapped of ['::ffff:93.184.216.34', '::FFFF:5db8:d822']) {
      expect((await set(key, [mapped])).body.addresses).to.deep.equal(['93.184.216.34']);
    }
  });

  it('needs the scope buy, because everybody at an address spends', async () => {
    const { key } = await platform.agent();
    const scopes = ['read', 'sell'];
    const made = await platform.request('POST /api/v1/agent/keys', { key, body: { scopes } });
    const { status, body } = await set(made.body.api_key.key, ['8.8.8.8']);
    expect([status, body.error]).to.deep.equal([403, 'insufficient_scope']);
    expect((await access(key)).addresses).to.deep.equal([]);
  });

  it('lets one address stand for one key only, and does not say whose', async () => {
    const one = await platform.agent();
    const [other, child] = [await platform.agent(), await childOf(platform, one)];
    await set(one.key, ['8.8.8.8']);
    for (const { key } of [other, child]) {
      await set(key, ['9.9.9.9']);
      const { status, body, text } = await set(key, ['8.8.4.4', '8.8.8.8']);
      expect([status, body.error]).to.deep.equal([409, 'address_taken']);
      expect(body.message).to.equal('addresses[1] stands for another proxy key.');
      expect(body.details).to.deep.equal({ index: 1 });
      expect(text).not.to.include(one.username).and.not.to.include('8.8.8.8');
      expect((await access(key)).addresses).to.deep.equal(['9.9.9.9']);
      await set(key, []);
    }
    expect(await ownerAt('8.8.8.8')).to.equal(one.id);
  });

  it('gives an address to one of ten agents that ask for it at the same moment', async () => {
    const agents = await Promise.all(Array.from({ length: 10 }, () => platform.agent()));
    const lists = [
      ['8.8.8.8', '8.8.4.4'],
      ['8.8.4.4', '8.8.8.8'],
    ];
    const replies = await Promise.all(agents.map(({ key }, n) => set(key, lists[n % 2]!)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([200, ...Array<number>(9).fill(409)]);
  });

  it('keeps the addresses when the key is replaced, and ends them with it', async () => {
    const { key } = await platform.agent();
    const reader = (
      await platform.request('POST /api/v1/agent/keys', { key, body: { scopes: ['buy'] } })
    ).body;
    // An API key that lists an address has what the proxy key gives.
    await set(reader.api_key.key, ['8.8.8.8']);
    await platform.request('POST /api/v1/proxy/my-key/rotate', { key: reader.api_key.key });
    expect((await access(key)).addresses).to.deep.equal(['8.8.8.8']);
    await platform.query('update proxy_key set read_by = array_remove(read_by, $1)', [
      reader.key_id,
    ]);
    await set(reader.api_key.key, ['8.8.8.8', '8.8.4.4']);
    const route = `DELETE /api/v1/agent/keys/${reader.key_id}?end_proxy_key=true`;
    expect((await platform.request(route, { key })).body.proxy_key).to.equal('ended');
    expect(await ownerAt('8.8.8.8')).to.equal(undefined);
    expect((await access(key)).addresses).to.deep.equal([]);
  });
});
