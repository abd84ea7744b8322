import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { owner, type BrowserLike } from './browser_like.ts';

const SPAWN = '/console/do/spawn_agent';
const LIMIT = '_then.daily_spend_limit';

describe('an agent that its owner makes on a page', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const make = async (browser: BrowserLike, fields: Record<string, string>) =>
    browser.submit(await browser.get('/console/agents'), SPAWN, { name: 'shopper', ...fields });
  const limits = async ({ id }: { id: number }) => {
    const sql = `select a.id, p.daily_spend_limit::int as micros, p.version
                   from agent a left join policy p on p.agent_id = a.id
                  where a.id = $1 or owner_id = $1 order by a.id`;
    return (await platform.query(sql, [id])).map((one: { micros: number | null }) => one.micros);
  };

  it('has the limit that its form shows, or the one that was typed, or none', async () => {
    for (const [fields, micros] of [
      [{}, 5_000_000],
      [{ [LIMIT]: ' $0.50 ' }, 500_000],
      [{ [LIMIT]: '0' }, 0],
      [{ [LIMIT]: '' }, null],
    ] as const) {
      const { browser, agent } = await owner(platform);
      const page = await browser.get('/console/agents');
      expect(page.text).to.include(`name="${LIMIT}" inputmode="decimal" value="5.00"`);
      const made = await make(browser, fields);
      expect([made.status, /vnx_test_[\w-]{30,}|vnx_[\w-]{30,}/.test(made.text)]).to.deep.equal([
        200,
        true,
      ]);
      expect(await limits(agent)).to.deep.equal([null, micros]);
    }
  });

  it('is not made with a limit that nobody understands, which is said at the field', async () => {
    const { browser, agent } = await owner(platform);
    for (const [limit, said] of [
      ['1,5', 'Enter a number, with a point for decimals, such as 2.50.'],
      ['-1', 'Enter 0 or more.'],
      ['1e9', 'Enter a number, with a point for decimals, such as 2.50.'],
    ] as const) {
      const refused = await make(browser, { [LIMIT]: limit });
      expect(refused.status, limit).to.equal(422);
      expect(refused.text)
        .to.include(`href="#spawn_agent-daily_spend_limit">A day, at most</a>: ${said}`)
        .and.include(`value="${limit}"`);
    }
    expect(await limits(agent)).to.deep.equal([null]);
  });

  it('is the only one whose limit its form sets, and nothing else of its policy', async () => {
    const { browser, agent } = await owner(platform);
    const others = { '_then.agent_id': String(agent.id), '_then.max_spend_per_tx': '1' };
    await make(browser, { ...others, [LIMIT]: '2' });
    expect(await limits(agent)).to.deep.equal([null, 2_000_000]);
    const sql = 'select max_spend_per_tx from policy where root_id = $1';
    expect(await platform.query(sql, [agent.id])).to.deep.equal([{ max_spend_per_tx: null }]);
  });
});
