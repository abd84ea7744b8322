import { isDeferrable } from '../jobs/deferral.ts';
import type { AnyOperation } from '../kernel/operation.ts';

/** The operations by their names. A catalog with a contradiction in it must not start. */
export function indexOperations(
  operations: readonly AnyOperation[],
): ReadonlyMap<string, AnyOperation> {
  const byName = new Map<string, AnyOperation>();
  const routes = new Set<string>();
  for (const op of operations) {
    if (!/^[a-z][a-z0-9_]*$/.test(op.name)) throw new Error(`${op.name} is not snake_case`);
    if (byName.has(op.name)) throw new Error(`two operations are called ${op.name}`);
    for (const route of [op.rest, op.alias]) {
      if (route && routes.has(route)) throw new Error(`two operations claim ${route}`);
      if (route) routes.add(route);
    }
    if ((op.mode === 'job' || isDeferrable(op)) && !op.queue) {
      throw new Error(`a worker may have to perform ${op.name}, which has no queue`);
    }
    if (op.mode === 'read' && op.queue) throw new Error(`${op.name} is a read with a queue`);
    if (op.gather && op.handleMany) throw new Error(`${op.name} gathers, so it takes no batches`);
    if (op.ownerOf && (op.access !== 'owner' || !op.input.required?.includes(op.ownerOf))) {
      throw new Error(`${op.name} does not say whose owner may call it`);
    }
    if (op.rest && op.access === 'operator' && (op.mode === 'read') !== !op.actsOn) {
      throw new Error(`${op.name} must say what it acts on if, and only if, it changes something`);
    }
    if (op.ownerOf && op.handleMany) {
      throw new Error(`${op.name} looks at the owner of each call, so it takes no batches`);
    }
    byName.set(op.name, op);
  }
  return byName;
}
