// test:all: programs are bundled and started.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { run } from '../../local/processes/command.ts';
import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { snippetsOf } from '../snippets.ts';
import { ROOT } from '../sources.ts';
import { FRAMEWORKS, installFrameworks } from './frameworks.ts';
import { startModel, type Conversation, type Turn } from './scripted_model.ts';

const PROGRAMS = readdirSync(FRAMEWORKS).filter((name) => name.endsWith('.mjs'));

/** It finds, buys and opens, wants the same again, and says what it was told. */
function play({ results }: Conversation): Turn {
  const said = results.map((result) => result.replaceAll('\\"', '"'));
  const found = (pattern: RegExp) => pattern.exec(said.join('\n'))?.[1] ?? 'nothing';
  const product_id = Number(found(/"product_id":(\d+)/));
  const turns: Turn[] = [
    { tool: 'search_assets', args: { query: 'weather' } },
    { tool: 'purchase_product', args: { product_id } },
    { tool: 'get_vault_item', args: { order_id: Number(found(/"order_id":(\d+)/)) } },
    { tool: 'purchase_product', args: { product_id } },
  ];
  const delivered = found(/"items":\[\{"untrusted":true,"content":"([^"]*)"/);
  const text = `Delivered: ${delivered}. One more: ${found(/"error":"(\w+)"/)}.`;
  return turns[results.length] ?? { text };
}

describe('agents of frameworks', function () {
  this.timeout(300_000);

  let platform: TestPlatform;
  let model: Awaited<ReturnType<typeof startModel>>;
  let folder: string;
  const seen: Conversation[] = [];

  before(async () => {
    folder = await installFrameworks();
    platform = await TestPlatform.open();
    model = await startModel((conversation) => {
      seen.push(conversation);
      return play(conversation);
    });
    const seller = await platform.agent();
    await platform.product(seller, {
      title: 'Weather API',
      price: 0.08,
      stock_kind: 'unlimited',
      content: 'wx-1000',
    });
  });
  after(async () => {
    await model?.stop();
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  for (const program of PROGRAMS) {
    it(`buy within the limits of their owner, and read why more is refused: ${program}`, async () => {
      const owner = await platform.agent({ usd: 1 });
      const spawned = await platform.request('POST /api/v1/agent/spawn', {
        key: owner.key,
        body: { agent_name: 'buyer', permissions: ['read', 'buy'] },
      });
      const { agent_id: child } = spawned.body.agent;
      const limited = await platform.request(`POST /agent/monitor/${child}/policy`, {
        key: owner.key,
        body: { daily_spend_limit: 0.15 },
      });
      expect(limited.status, limited.text).to.equal(200);

      const env = {
        ...process.env,
        MARKET: platform.url,
        MARKET_KEY: spawned.body.api_key.key,
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: 'sk-test',
        // These would report to their makers.
        OPENAI_AGENTS_DISABLE_TRACING: '1',
        MASTRA_TELEMETRY_DISABLED: '1',
      };
      const ran = await run(process.execPath, [program, 'a weather API'], { cwd: folder, env });
      expect(ran.out.trim().split('\n').at(-1), ran.all).to.equal(
        'Delivered: wx-1000. One more: daily_limit_exceeded.',
      );
      // The welcome credit and a dollar, less one purchase.
      const { body: wallet } = await platform.request('GET /api/v1/wallet', { key: owner.key });
      expect([wallet.balance, wallet.in_escrow]).to.deep.equal([1.412, 0.088]);
      expect(seen.at(-1)!.tools.length).to.be.lessThan(20);
    });
  }

  it('stand in the page as they are', () => {
    const page = readFileSync(join(ROOT, 'docs/connect/frameworks.md'), 'utf8');
    const shown = snippetsOf(page)
      .filter(({ language }) => language === 'js')
      .map(({ text }) => text);
    const programs = PROGRAMS.map((name) => readFileSync(join(FRAMEWORKS, name), 'utf8').trimEnd());
    expect(shown.toSorted()).to.deep.equal(programs.toSorted());
    const { dependencies } = JSON.parse(readFileSync(join(FRAMEWORKS, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(dependencies)) {
      expect(page).to.contain(`\`${name}\` ${String(version)}`);
    }
  });
});
