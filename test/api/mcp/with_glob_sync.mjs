// The conformance suite is made for Node 22: it imports fs.globSync, for a command that does not
// run here. Node 20 has no such function, and would refuse the import.
import fs from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && !fs.globSync) register(import.meta.url);

const withGlobSync = `data:text/javascript,
  export * from 'node:fs';
  export function globSync() { throw new Error('this Node has no globSync'); }`;

export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL.includes('/conformance/')
    ? { url: withGlobSync, shortCircuit: true }
    : next(name, context);
