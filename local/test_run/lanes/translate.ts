import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';

import { checkoutFolder } from '../../paths.ts';

const FOLDERS = [
  'api',
  'bench',
  'client',
  'docs',
  'local',
  'migrations',
  'sandbox',
  'shared',
  'test',
  'workers',
];

/** As tsconfig.json has it, of which esbuild reads nothing here. */
const tsconfigRaw = {
  compilerOptions: {
    verbatimModuleSyntax: true,
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
  },
} as const;

/**
 * Translates every file of TypeScript into this folder, once for all processes of a run, which load
 * it by load_translated.mjs: each of them would otherwise translate what it imports, by tsx, which
 * takes more than half of what a run of one test costs.
 */
export function translateTo(folder: string): void {
  for (const path of FOLDERS.flatMap(typescriptIn)) {
    const text = readFileSync(join(checkoutFolder, path), 'utf8');
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, translate(text, path));
  }
}

export function translate(text: string, path: string): string {
  return transformSync(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    tsconfigRaw,
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: join(checkoutFolder, path),
  }).code;
}

function typescriptIn(folder: string): string[] {
  const path = join(checkoutFolder, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}
