import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { operator } from '../../console/browser_like.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openPaidBase, type PaidBase } from '../evm/platform.ts';
import { openLimitedRpc, PLANS, type LimitedRpc } from './limited_rpc.ts';

const KEY = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const PATH = `/v2/${KEY}?apikey=${KEY}`;

const ANN = { name: 'ann', secret: 'a-token-of-ann-for-the-tests-1' };

describe('the providers on the page of the rails', () => {
  let base: PaidBase;
  let limited: LimitedRpc;
  let faulty: FaultyRpc;
  let platform: TestPlatform;
  before(async () => {
    base = await openPaidBase();
    limited = await openLimitedRpc(base.evm.url, PLANS['batches of 3']!);
    faulty = await openFaultyRpc(base.evm.url);
    const urls = [limited.url, faulty.url].map((url) => url + PATH);
    platform = await TestPlatform.open({
      env: {
        ...base.env,
        BASE_RPC_URLS: urls.join(' '),
        OPERATOR_TOKENS: `${ANN.name}:${ANN.secret}`,
      },
    });
  });
  after(async () => {
    await platform.close();
    limited.close();
    faulty.close();
    await base.close();
  });

  const search = (sql: string) =>
    eventually(async () => {
      await runTimer(platform, 'watch_chains');
      return (await platform.query(sql)).length > 0;
    }, Boolean);
  const rails = async () => {
    await runTimer(platform, 'note_providers');
    return platform.request('GET /api/v1/admin/rails', { key: ANN.secret });
  };
  const hostOf = (url: string) => new URL(url).host;

  it('are shown with what they take, and calls by day and month', async () => {
    await search('select from chain_cursor where position is not null');
    await base.evm.mine(20);
    await search('select from chain_cursor where position > 10');
    const { body } = await rails();
    const shown = body.providers.find(
      ({ provider }: { provider: string }) => provider === hostOf(limited.url),
    );
    expect(shown).to.include({ rail: 'base', batch: 3, fault: null, calls_per_month: null });
    expect(shown.calls_today).to.be.greaterThan(shown.requests_today);
    expect(shown.requests_today).to.equal(limited.requests());
    expect(shown.refused_today).to.be.greaterThan(0);

    // Counts them like those of twelve hours.
    const blocks = 'select blocks::int from chain_provider_day where provider = $1';
    const [read] = await platform.query(blocks, [shown.provider]);
    expect(read.blocks).to.be.greaterThan(19);
    await platform.query(`update chain_provider_day set first_at = seen_at - interval '12 hours'`);
    const [later] = (await rails()).body.providers.filter(
      ({ provider }: { provider: string }) => provider === shown.provider,
    );
    expect(later.blocks_per_day).to.equal(read.blocks * 2);
    expect(later.calls_per_month).to.equal(later.calls_today * 60);
    const page = await (await operator(platform, ANN)).get('/admin/rails');
    expect(page.text).to.include('3 calls a request').and.include(hostOf(limited.url));
    expect(page.text).to.not.contain(KEY);
  });

  it('have no word of theirs anywhere that holds our key', async () => {
    const said = `Invalid project id ${KEY}, see https://rpc.example.com${PATH}`;
    faulty.on('eth_getLogs', async () => new Error(said));
    await base.evm.mine(10);
    await search('select from chain_cursor where fault is not null');
    const { text } = await rails();
    expect(text).to.contain('Invalid project id [hidden]');
    const stored = await platform.query(
      `select coalesce(string_agg(c::text, ''), '') ||
              (select coalesce(string_agg(p::text, ''), '') from chain_provider_day p) ||
              (select coalesce(string_agg(j::text, ''), '') from job j) as stored
         from chain_cursor c`,
    );
    expect([text, stored[0].stored].join()).to.not.contain(KEY);
    faulty.honest();
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
