import type { AnyOperation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { SCOPES, type Scope } from './agents.ts';
import type { Caller } from './caller.ts';

/** What an operation says about who may call it. */
export type AccessRule = Pick<AnyOperation, 'access' | 'ownerOf' | 'actsBelow'>;

/** Why this caller may not call this operation with any input; undefined: it may. */
export function accessRefusal(
  caller: Caller,
  { access, ownerOf, actsBelow }: AccessRule,
): Refusal | undefined {
  if (access === 'public' || access === 'any') return undefined;
  const required = access === 'owner' ? SCOPES : [access as Scope];
  const missing = required.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) {
    return new Refusal('insufficient_scope', `This key lacks the scope ${missing.join(', ')}.`, {
      required,
      granted: caller.scopes,
    });
  }
  // With `ownerOf`, the input names the agent: `assertOwns` checks that one.
  const isForRoots = access === 'owner' && ownerOf === undefined && !actsBelow;
  if (isForRoots && caller.agentId !== caller.rootId) {
    return new Refusal('forbidden', 'Only the owner of this tree of agents may do that.');
  }
  return undefined;
}
