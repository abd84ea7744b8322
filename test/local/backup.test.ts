// test:all: a database is backed up and restored.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { run } from '../../local/processes/command.ts';
import { launch, type Launcher } from './launcher.ts';

describe('npm run backup and npm run restore', function () {
  this.timeout(180_000);

  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const backup = join(folder, 'backup');
  let launcher: Launcher | undefined;

  after(async () => {
    launcher?.kill('SIGTERM');
    await launcher?.exit;
    rmSync(folder, { recursive: true });
  });

  const npmRun = (program: string, dataDir: string, ...args: string[]) =>
    run(process.execPath, ['local/bootstrap.mjs', program, ...args], {
      env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir },
    });

  async function ask(url: string, route: string, body?: object, key = '') {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever came back
    return { status: response.status, body: (await response.json()) as any };
  }

  it('move a running marketplace into another data folder, keys and vaults too', async () => {
    launcher = launch(first);
    let url = await launcher.ready();
    const ada = { username: 'ada', email: 'ada@example.com', password: 'correct-horse-battery' };
    const registered = await ask(url, 'POST /api/v1/agent/register', ada);
    const key: string = registered.body.api_key.key;
    const bought = await ask(url, 'POST /api/v1/orders', { product_id: 1 }, key);
    const vault = await ask(url, `GET ${bought.body.item_endpoint}`, undefined, key);
    expect(vault.status).to.equal(200);
    // The play money of a data folder is its own, and so is the address that it is paid to.
    const walletAt = async () => {
      const { deposit_methods: _, ...own } = (await ask(url, 'GET /api/v1/wallet', undefined, key))
        .body;
      return own;
    };
    const wallet = await walletAt();
    expect(wallet).to.include.keys('balance', 'in_escrow');

    const made = await npmRun('backup', first, backup);
    expect(made.all).to.include('keys to every vault');
    expect(statSync(backup).mode & 0o777).to.equal(0o700);
    for (const name of readdirSync(backup)) {
      expect(statSync(join(backup, name)).mode & 0o777, name).to.equal(0o600);
    }
    const later = await ask(url, 'POST /api/v1/orders', { product_id: 1 }, key);
    expect(later.status).to.equal(200);
    launcher.kill('SIGTERM');
    await launcher.exit;

    const restored = await npmRun('restore', second, backup);
    expect(restored.all).to.include(`restored to ${second}`);
    launcher = launch(second);
    url = await launcher.ready();
    expect(await walletAt()).to.deep.equal(wallet);
    expect(await ask(url, `GET ${bought.body.item_endpoint}`, undefined, key)).to.deep.equal(vault);
    const lost = await ask(url, `GET /api/v1/orders/${later.body.order_id}`, undefined, key);
    expect(lost.status).to.equal(404);
    expect((await npmRun('audit', second)).all).to.match(/^audit clean: /m);
  });

  it('refuse to overwrite something, and what is no backup', async () => {
    const refused = async (program: string, dataDir: string, from: string) => {
      const { ok, all } = await npmRun(program, dataDir, from);
      expect(ok, all).to.equal(false);
      return all.trim();
    };
    expect(await refused('backup', second, backup)).to.include('is there already');
    expect(await refused('restore', second, backup)).to.include('holds a marketplace already');
    const fresh = join(folder, 'fresh');
    expect(await refused('restore', fresh, fresh)).to.include('There is no backup in');
    expect(await refused('backup', fresh, join(folder, 'another'))).to.include('does not run on');
    expect(readdirSync(folder).toSorted()).to.deep.equal(['backup', 'first', 'second']);
  });
});
