import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';

const UNLIMITED = { stock_kind: 'unlimited', content: 'open' };

interface Purchase {
  readonly agent: { readonly id: number };
  readonly product: { readonly id: number };
  readonly quantity?: number;
}

/** The SQL of batches itself: what it leaves out, it leaves to `handle`, which would buy too. */
describe('a batch of purchases', () => {
  let platform: TestPlatform;
  let seller: { id: number; key: string };
  let open: { id: number };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    seller = await platform.agent();
    open = await platform.product(seller, { price: 1, ...UNLIMITED });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Records these calls, performs them as one batch, and answers which of them were bought. */
  async function bought(...purchases: readonly Purchase[]): Promise<boolean[]> {
    const { database, clock, secrets } = platform.context;
    const { hash } = secrets.hash('test', 'test');
    const roots = await platform.query(
      'select id::int, root_id::int as root from agent where id = any ($1)',
      [purchases.map(({ agent }) => agent.id)],
    );
    const jobs = purchases.map(({ agent, product, quantity = 1 }) => ({
      id: newJobId(clock.now()),
      operation: 'purchase_product',
      agentId: agent.id,
      rootId: roots.find(({ id }: { id: number }) => id === agent.id).root as number,
      input: { product_id: product.id, quantity },
      hash,
      requestId: 'req_batch',
    }));
    await insertJobs(database, jobs);
    const ids = jobs.map(({ id }) => id);
    const done = await platform.query('select id from perform_purchases($1)', [ids]);
    const pending = await platform.query(
      `select id from job where id = any ($1) and status = 'pending' and answer is null`,
      [ids],
    );
    expect(pending).to.have.length(jobs.length - done.length);
    // Nobody else may perform what a test has left out.
    await platform.query(
      `update job set run_at = 'infinity', push_after = 'infinity'
                           where id = any ($1) and status = 'pending'`,
      [ids],
    );
    return ids.map((id) => done.some((row: { id: string }) => row.id === id));
  }

  it('buys what is right beside one call of each kind that is not', async () => {
    const rich = await platform.agent({ usd: 50 });
    const suspended = await platform.agent({ usd: 5 });
    const orphan = await childOf(platform, suspended);
    await platform.query(`update agent set status = 'suspended' where id = $1`, [suspended.id]);
    const off = await platform.product(seller, { price: 1, ...UNLIMITED, active: false });
    const unapproved = await platform.product(seller, { price: 1, ...UNLIMITED });
    await platform.query(`update product set status = 'suspended' where id = $1`, [unapproved.id]);
    const own = await platform.product(rich, { price: 1, ...UNLIMITED });
    const limited = await platform.agent({ usd: 50 });
    await setPolicy(platform, limited, { max_spend_per_tx: 1_099_999 });
    const exact = await platform.agent({ usd: 50 });
    await setPolicy(platform, exact, { max_spend_per_tx: 1_100_000 });
    const narrow = await platform.agent({ usd: 50 });
    await setPolicy(platform, narrow, { allowed_product_types: ['dataset'] });
    const few = await platform.product(seller, { price: 1, items: ['only-one'] });
    const poor = await platform.agent({ usd: 0.599999 }); // and $0.50 of credit

    const calls: [Purchase, boolean][] = [
      [{ agent: rich, product: open }, true],
      [{ agent: suspended, product: open }, false],
      [{ agent: orphan, product: open }, false],
      [{ agent: rich, product: off }, false],
      [{ agent: rich, product: unapproved }, false],
      [{ agent: rich, product: own }, false],
      [{ agent: rich, product: { id: 999_999 } }, false],
      [{ agent: limited, product: open }, false],
      [{ agent: exact, product: open }, true],
      [{ agent: narrow, product: open }, false],
      [{ agent: rich, product: few, quantity: 2 }, false],
      [{ agent: poor, product: open }, false],
      [{ agent: rich, product: open, quantity: 3 }, true],
    ];
    const outcomes = await bought(...calls.map(([purchase]) => purchase));
    expect(outcomes).to.deep.equal(calls.map(([, expected]) => expected));
  });

  it('counts the calls before one to its daily limit, also those of a child', async () => {
    const owner = await platform.agent({ usd: 50 });
    const child = await childOf(platform, owner);
    await setPolicy(platform, owner, { daily_spend_limit: 3_300_000 });
    const calls = [owner, child, owner, child, owner].map((agent) => ({ agent, product: open }));
    expect(await bought(...calls)).to.deep.equal([true, true, true, false, false]);
  });

  it('counts the calls before one to the balance of its tree', async () => {
    const owner = await platform.agent({ usd: 2 }); // and $0.50 of credit
    const child = await childOf(platform, owner);
    const calls = [child, owner, child].map((agent) => ({ agent, product: open }));
    expect(await bought(...calls)).to.deep.equal([true, true, false]);
    expect(
      await platform.query('select credit::int, cash::int from ledger.treasury where id = $1', [
        owner.id,
      ]),
    ).to.deep.equal([{ credit: 0, cash: 300_000 }]);
  });

  for (const [kind, stock] of Object.entries({
    serial_pool: { items: ['u1', 'u2', 'u3'] },
    counted: { stock_kind: 'counted', quantity: 3, content: 'One of three.' },
  })) {
    it(`sells no unit twice and none that is not there: ${kind}`, async () => {
      const product = await platform.product(seller, { price: 0.1, ...stock });
      const buyers = await Promise.all([1, 2, 3].map(() => platform.agent({ usd: 5 })));
      const calls = [2, 1, 1].map((quantity, n) => ({ agent: buyers[n]!, product, quantity }));
      expect(await bought(...calls)).to.deep.equal([true, true, false]);
      const [{ units }] = await platform.query(
        `select array_agg(n::int order by n desc) as units from (
           select count(*) as n from stock where product_id = $1 and order_id is not null
            group by order_id) sold`,
        [product.id],
      );
      expect(units).to.deep.equal(kind === 'serial_pool' ? [2, 1] : null);
    });
  }
});
