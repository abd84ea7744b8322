// test:all: every call of the documents is made by a shell.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { allowedBy } from '../connections/allowed.ts';
import { TestPlatform } from '../harness.ts';
import { openShell, sessionOf, shapeOf, snippetsOf } from '../snippets.ts';
import { openPaying } from '../x402/scene.ts';
import { walletWith } from '../x402/wallets.ts';
import { HERE, openAsShown, textOf, withDemo } from './marketplace.ts';
import { PLAY_MONEY } from '../sandbox/time/open_sandbox.ts';
import { FIRST_PAGE, FOLLOWED, SANDBOX_PAGE, SELLING_PAGE } from './shown_calls.ts';

const PAYER_KEY = '.data/x402_payer_key';
const APPS = 'docs/connect/apps.md';

describe('the pages of docs/', function () {
  this.timeout(240_000);

  it('lead a newcomer to an agent that buys under limits', async () => {
    const platform = await TestPlatform.open();
    await withDemo(platform);
    const shell = openShell();
    try {
      await follow(FIRST_PAGE, { url: platform.url, shell });
    } finally {
      shell.close();
      await platform.close();
    }
  });

  it('lead a seller from nothing to a payout', async () => {
    const { platform, close } = await openAsShown({
      WITHDRAWAL_CARD_DAYS: '0',
      WITHDRAWAL_HOLD_HOURS: '0',
    });
    const shell = openShell();
    try {
      const keys = await follow(SELLING_PAGE, { url: platform.url, shell });
      const key = keys.SELLER_KEY!;
      const { body } = await platform.request('GET /api/v1/wallet/withdrawals', { key });
      expect(body.withdrawals.map(({ amount }: { amount: number }) => amount)).to.deep.equal([2]);
    } finally {
      shell.close();
      await close();
    }
  });

  it('lead through three days in a moment', async () => {
    const { platform, close } = await openAsShown(PLAY_MONEY);
    const shell = openShell();
    try {
      const { KEY } = await follow(SANDBOX_PAGE, { url: platform.url, shell });
      const { body } = await platform.request('GET /api/v1/orders', { key: KEY! });
      const statuses = body.orders.map(({ status }: { status: string }) => status);
      expect(statuses).to.deep.equal(['refunded', 'completed']);
    } finally {
      shell.close();
      await close();
    }
  });

  it('show calls as they are answered', async () => {
    const paying = await openPaying();
    const { platform, close } = await openAsShown(paying.settings);
    const keyFile = join(mkdtempSync(join(tmpdir(), 'wallet-')), 'key');
    writeFileSync(keyFile, (await walletWith(paying.evm)).privateKey);
    const shell = openShell();
    let keys: Keys = {};
    try {
      for (const page of FOLLOWED) {
        // Its app has asked its owner, who said yes.
        if (page === APPS) await allowedBy(platform, { id: Number(keys.OWNER) });
        keys = await follow(page, { url: platform.url, shell, keyFile, keys });
      }
    } finally {
      shell.close();
      await close();
      await paying.close();
    }
  });
});

/** Variables of the shell: keys of who registered last and of the last agent, and the last ids. */
type Keys = Readonly<Record<string, string>>;

/** Runs what a page shows, as it stands there, and compares what is answered. */
async function follow(
  page: string,
  {
    url,
    shell,
    keyFile = '',
    keys = {},
  }: { url: string; shell: ReturnType<typeof openShell>; keyFile?: string; keys?: Keys },
): Promise<Keys> {
  const known: Record<string, string> = { KEY: '', OWNER_KEY: '', OWNER: '', ...keys };
  const steps = snippetsOf(textOf(page)).flatMap(sessionOf);
  expect(steps.length, page).to.be.greaterThan(0);
  for (const { command, answer } of steps) {
    // A key of its own name is the last one that was given.
    const [isSet, name] = /^([A-Z_]+)=/.exec(command) ?? [];
    if (isSet && name!.endsWith('_KEY')) known[name!] = known.KEY!;
    if (isSet) continue;
    const sent = command.replaceAll(HERE, url).replace(PAYER_KEY, keyFile);
    const where = Object.keys(WHERE).find((program) => command.startsWith(program));
    const printed = await shell.run(where ? sent + WHERE[where] + url : sent, known);
    if (command.startsWith('npm ')) expect(wordsOf(printed), command).to.equal(wordsOf(answer));
    if (!answer.startsWith('{')) continue;
    const got = JSON.parse(printed);
    if (got.api_key) known.KEY = got.api_key.key;
    if (got.username) Object.assign(known, { OWNER: String(got.agent_id), OWNER_KEY: known.KEY });
    const { agent, order_id: ORDER, quote_id: QUOTE, task_id: TASK, job_id: JOB } = got;
    const PRODUCT = 'in_stock' in got ? got.product_id : undefined;
    const made = { AGENT: agent?.agent_id, ORDER, QUOTE, TASK, JOB, PRODUCT };
    for (const [name, id] of Object.entries(made)) if (id) known[name] = String(id);
    const shown = JSON.parse(answer);
    expect(shapeOf(got), command).to.deep.equal(shapeOf(shown));
    expect(got.error, command).to.equal(shown.error);
  }
  return known;
}

/** How a program is told where the marketplace is. */
const WHERE: Readonly<Record<string, string>> = { 'node ': ' ', 'npm run pay ': ' --url ' };

/** The last line, without its numbers. */
const wordsOf = (printed: string) =>
  printed
    .split('\n')
    .at(-1)!
    .replaceAll(/[\d.]+/g, '0');
