import type { Scope } from '../../kernel/caller.ts';
import type { InboxCall } from '../../kernel/terms/inbox_part.ts';
import type { Access } from '../../kernel/terms/access.ts';
import type { Tx } from '../../kernel/tx.ts';

const OWNER: readonly Scope[] = ['read', 'buy', 'sell'];

/** Whether a key with these scopes has this access. */
export function allows(access: Access, scopes: readonly Scope[]): boolean {
  if (access === 'owner') return OWNER.every((scope) => scopes.includes(scope));
  return access === 'any' || access === 'public' || scopes.some((scope) => scope === access);
}

/** The calls among these that the caller's key allows, as tool calls and as REST requests. */
export const nextCallsOf = (
  { operations, caller }: Pick<Tx, 'operations' | 'caller'>,
  calls: readonly InboxCall[],
) =>
  calls.flatMap((call) => {
    const op = operations.get(call.tool);
    if (!op?.rest) throw new Error(`an inbox names ${call.tool}, which nobody can call`);
    if (!allows(op.access, caller.scopes)) return [];
    const [method, route] = op.rest.split(' ') as [string, string];
    const rest = { ...call.arguments };
    const path = route.replace(/:(\w+)/g, (whole, name: string) => {
      const value = rest[name];
      if (value === undefined) return whole;
      delete rest[name];
      return encodeURIComponent(String(value));
    });
    const query = new URLSearchParams(
      Object.entries(rest).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    const required: readonly string[] = (op.input.required as string[] | undefined) ?? [];
    const isRead = method === 'GET';
    return {
      tool: call.tool,
      arguments: call.arguments,
      method,
      path: isRead && query.size > 0 ? `${path}?${query.toString()}` : path,
      body: isRead ? null : rest,
      needs: required.filter((name) => !(name in call.arguments)),
    };
  });
