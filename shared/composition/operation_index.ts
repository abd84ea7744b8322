import { isDeferrable } from '../jobs/deferral.ts';
import type { AnyOperation } from '../kernel/operation.ts';

/** Operations by name. Throws if the catalog contradicts itself: it must not start. */
export function indexOperations(
  operations: readonly AnyOperation[],
): ReadonlyMap<string, AnyOperation> {
  const byName = new Map<string, AnyOperation>();
  const routes = new Set<string>();
  for (const op of operations) {
    if (!/^[a-z][a-z0-9_]*$/.test(op.name)) throw new Error(`${op.name} is not snake_case`);
    if (byName.has(op.name)) throw new Error(`two operations are called ${op.name}`);
    for (const route of [op.rest, op.bindings?.alias]) {
      if (route && routes.has(route)) throw new Error(`two operations claim ${route}`);
      if (route) routes.add(route);
    }
    if ((op.mode === 'job' || isDeferrable(op)) && !op.queue) {
      throw new Error(`a worker may have to perform ${op.name}, which has no queue`);
    }
    const { takes } = op.effects ?? {};
    if (takes !== undefined && !(takes in op.output.properties)) {
      throw new Error(`${op.name} has no field ${takes} in its answer`);
    }
    if (op.mode === 'read' && op.queue) throw new Error(`${op.name} is a read with a queue`);
    if (op.gather && op.batch) throw new Error(`${op.name} gathers, so it takes no batches`);
    const { ownerOf } = op.owners ?? {};
    if (ownerOf && (op.access !== 'owner' || !op.input.required?.includes(ownerOf))) {
      throw new Error(`${op.name} does not say whose owner may call it`);
    }
    if (op.rest && op.access === 'operator' && (op.mode === 'read') !== !op.effects?.actsOn) {
      throw new Error(`${op.name} must say what it acts on if, and only if, it changes something`);
    }
    if (ownerOf && op.batch) {
      throw new Error(`${op.name} looks at the owner of each call, so it takes no batches`);
    }
    if (op.writeBatch && !isPlainWrite(op)) {
      throw new Error(`${op.name} does not decide in handle alone, so it takes no batches`);
    }
    byName.set(op.name, op);
  }
  return byName;
}

/** Whether `handle` decides a write alone, and its answer is stored as it is. */
const isPlainWrite = (op: AnyOperation): boolean =>
  op.mode === 'write' &&
  op.access !== 'operator' &&
  !op.gather &&
  !op.owners &&
  !op.queue &&
  !op.stored;
