import { createHash } from 'node:crypto';

import type { AnyOperation } from '../kernel/operation.ts';

const versions = new WeakMap<AnyOperation, string>();

/** Hash of what an operation takes: two processes with one hash accept and refuse the same. */
export function inputVersion(op: AnyOperation): string {
  let version = versions.get(op);
  if (version === undefined) {
    version = createHash('sha256').update(JSON.stringify(op.input)).digest('hex').slice(0, 16);
    versions.set(op, version);
  }
  return version;
}
