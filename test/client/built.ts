import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { run, type CommandResult } from '../../local/processes/command.ts';
import type { TestPlatform } from '../harness.ts';
import { ROOT } from '../sources.ts';

/** The client as its users build it, in a folder of its own. */
export interface BuiltClient {
  readonly folder: string;
  /** Runs a program of the examples. */
  example(name: string, ...args: string[]): Promise<CommandResult>;
  node(file: string, ...args: string[]): Promise<CommandResult>;
  load(): Promise<ClientModule>;
  remove(): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- its types are checked by its own compiler
export type ClientModule = any;

export async function buildClient({ url }: TestPlatform): Promise<BuiltClient> {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  for (const name of [
    'bin',
    'src',
    'examples',
    'build.mjs',
    'package.json',
    'tsconfig.json',
    'README.md',
  ]) {
    cpSync(join(ROOT, 'client', name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'client/node_modules'), join(folder, 'node_modules'));
  const node = (file: string, ...args: string[]) =>
    run(process.execPath, [file, ...args], { cwd: folder, env: process.env });
  const built = await node('build.mjs', `${url}/openapi.json`);
  if (!built.ok) throw new Error(built.all);
  return {
    folder,
    node,
    example: (name, ...args) => node(`dist/examples/${name}.js`, ...args),
    load: () => import(pathToFileURL(join(folder, 'dist/src/client.js')).href),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
