import type { AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { SCOPES, type Scope } from '../../kernel/caller.ts';
import type { Caller } from '../../kernel/caller.ts';

/** The part of an operation that says who may call it. */
export type AccessRule = Pick<AnyOperation, 'access' | 'owners'>;

/** The refusal of a caller that may not call this operation with any input, or undefined. */
export function accessRefusal(
  caller: Caller,
  { access, owners: { ownerOf, actsBelow } = {} }: AccessRule,
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
    return new Refusal('forbidden', 'Only the root of this tree of agents may call this.');
  }
  return undefined;
}
