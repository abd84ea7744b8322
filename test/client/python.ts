import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { run } from '../../local/processes/command.ts';
import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { ROOT } from '../sources.ts';

const HOME = join(ROOT, 'client/python');

/** Not every machine that runs the tests has one. */
export const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

/** The client for Python, generated from a marketplace under test. */
export class PythonClient {
  static async open(): Promise<PythonClient> {
    const client = new PythonClient(
      await TestPlatform.open(),
      mkdtempSync(join(tmpdir(), 'python-')),
    );
    cpSync(HOME, client.folder, { recursive: true });
    const made = await client.python('generate.py', `${client.platform.url}/openapi.json`);
    expect(made).to.match(/^\d{3} operations of http/);
    return client;
  }

  readonly platform: TestPlatform;
  private readonly folder: string;
  private constructor(platform: TestPlatform, folder: string) {
    this.platform = platform;
    this.folder = folder;
  }

  readonly python = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, PYTHONPATH: this.folder, PYTHONWARNINGS: 'error' };
    const ran = await run('python3', args, { cwd: this.folder, env });
    expect(ran.ok, ran.all).to.equal(true);
    return ran.all.trim();
  };

  /** The output of a program that has a client of this agent, of this marketplace. */
  readonly print = ({ key }: { key: string }, text: string, url = this.platform.url) =>
    this.python('-c', `from agent_marketplace import *\nm = Market("${url}", "${key}")\n${text}`);

  async scene(usd = 5) {
    const goods = { title: 'Weather of today', price: 0.09, stock_kind: 'unlimited' };
    const seller = await this.platform.agent();
    const product = await this.platform.product(seller, { ...goods, content: 'sun' });
    return { seller, id: product.id, buyer: await this.platform.agent({ usd }) };
  }

  async close(): Promise<void> {
    rmSync(this.folder, { recursive: true });
    expect(await audit(this.platform.context.database)).to.deep.equal([]);
    await this.platform.close();
  }
}
