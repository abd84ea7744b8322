// test:all: installs and builds a deployment, which takes a minute of CPU time.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { freePort } from '../../local/ports.ts';
import { run } from '../../local/processes/command.ts';
import { newPassword } from '../../local/stored_values.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { admin, urlAs } from '../databases.ts';
import { eventually } from '../platform/eventually.ts';
import { buildImage, type Image } from './dockerfile.ts';

const POSTGRES = process.env.TEST_POSTGRES_URL!;
const MEGABYTE = 2 ** 20;
/** Without the image that it is made from. */
const IMAGE_MB_MAX = 250;
const PACKAGES_MB_MAX = 120;

describe('the image of the Dockerfile', function () {
  this.timeout(600_000);

  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const running: ChildProcess[] = [];
  const database = `image_${process.pid}`;
  let image: Image;
  let env: Record<string, string>;

  before(async () => {
    image = await buildImage(folder);
    await admin(POSTGRES, `create database ${database} owner market_owner`);
    const redis = new URL(process.env.TEST_REDIS_URL!);
    redis.pathname = '/9'; // Other tests of this lane use the first database.
    env = {
      PATH: process.env.PATH!,
      ...image.env,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATABASE_URL: urlAs(POSTGRES, database, 'market_app'),
      REDIS_URL: redis.href,
      MASTER_KEYS: newMasterKey('image'),
      OPERATOR_TOKEN: newPassword(),
      PUBLIC_URL: 'https://market.example',
      AUTO_APPROVE_PRODUCTS: 'true',
    };
  });
  after(async () => {
    for (const child of running) child.kill('SIGTERM');
    await Promise.all(
      running.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')),
    );
    await admin(POSTGRES, `drop database if exists ${database} with (force)`);
    rmSync(folder, { recursive: true });
  });

  const program = (...[file, ...args]: readonly string[]) =>
    run(file!, args, { cwd: image.folder, env });
  function start(command: readonly string[], settings: Record<string, string> = {}): void {
    const [file, ...args] = command;
    const child = spawn(file!, args, {
      cwd: image.folder,
      env: { ...env, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.push(child);
  }
  const isHealthy = async (settings: Record<string, string> = {}) => {
    const [file, ...args] = image.healthCheck;
    return (await run(file!, args, { env: { ...env, ...settings } })).ok;
  };
  const call = async (route: string, body?: object, key?: string) => {
    const [method, path] = route.split(' ');
    const headers = {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    };
    const sent = { method: method!, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${env.PORT}${path}`, sent);
    return { status: response.status, body: await response.json() };
  };

  it('has dist, its packages and files that programs read, and runs as nobody special', () => {
    expect(readdirSync(image.folder)).to.have.members([
      'dist',
      'docs',
      'migrations',
      'package.json',
    ]);
    expect(image.user).to.equal('node');
    expect(bytesIn(join(image.folder, 'dist/node_modules')) / MEGABYTE).to.be.below(
      PACKAGES_MB_MAX,
    );
    expect(bytesIn(image.folder) / MEGABYTE).to.be.below(IMAGE_MB_MAX);
  });

  it('migrates, serves, performs a purchase and proves the books, from these files alone', async () => {
    const owner = urlAs(POSTGRES, database, 'market_owner');
    env.MIGRATION_DATABASE_URL = owner;
    const migrated = await program('node', 'dist/migrate.js');
    expect(migrated.ok, migrated.all).to.equal(true);
    delete env.MIGRATION_DATABASE_URL;

    expect(await isHealthy()).to.equal(false);
    const health = { WORKER_HEALTH_PORT: String(await freePort()) };
    start(image.command);
    start(['node', 'dist/worker.js'], health);
    await eventually(isHealthy, Boolean);
    await eventually(() => isHealthy(health), Boolean);

    const register = async (username: string) => {
      const agent = {
        username,
        email: `${username}@example.com`,
        password: 'correct horse battery',
      };
      return (await call('POST /api/v1/agent/register', agent)).body.api_key.key as string;
    };
    const [seller, buyer] = [await register('seller'), await register('buyer')];
    const listed = await call(
      'POST /api/v1/products',
      {
        title: 'A serial key',
        description: 'It opens what it is for.',
        category: 'serial_key',
        price: 0.01,
        stock_kind: 'serial_pool',
        items: ['KEY-1'],
      },
      seller,
    );
    const order = { product_id: listed.body.product_id };
    const bought = await call('POST /api/v1/orders?wait=20', order, buyer);
    expect(bought.body).to.include({ status: 'escrow', item_endpoint: '/vault/1' });
    const page = await fetch(`http://127.0.0.1:${env.PORT}/api-docs/swagger-ui.css`);
    expect(page.status).to.equal(200);

    const audit = await program('node', 'dist/audit.js');
    expect(audit.ok, audit.all).to.equal(true);
    expect(audit.all).to.match(/^audit clean: \d+ proofs, [1-9]\d* transfers, 1 orders/);
    const reseal = await program('node', 'dist/reseal.js');
    expect(reseal.ok, reseal.all).to.equal(true);
    expect(reseal.all).to.match(/^key image seals; [1-9]\d* values are under it$/m);
  });
});

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
