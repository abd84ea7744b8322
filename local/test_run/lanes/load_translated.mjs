// Lets Node load TypeScript as `translateTo` of translate.ts translated it, as a value of its
// option `--import`. TEST_TRANSLATED is the folder.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const root = new URL('../../../', import.meta.url).href;
const translated = process.env.TEST_TRANSLATED;

// The hooks run in a thread of their own, which imports this file too.
if (isMainThread) {
  register(import.meta.url);
  process.setSourceMapsEnabled(true);
}

export function load(url, context, next) {
  if (!url.startsWith(root) || !/\.tsx?$/.test(url)) return next(url, context);
  const path = decodeURIComponent(url.slice(root.length));
  const source = readFileSync(`${translated}/${path}`, 'utf8');
  return { format: 'module', source, shortCircuit: true };
}
