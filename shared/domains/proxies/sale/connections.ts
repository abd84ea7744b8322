import type { Caller } from '../../../kernel/caller.ts';
import { LostCommit, transact } from '../../../platform/database.ts';
import { violated } from '../../../platform/fault.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { perform } from '../../../performing/perform.ts';
import type { Context } from '../../../composition/context.ts';
import { findProxies } from './find_proxies.ts';
import type { SoldProxy } from '../proxies.ts';
import { refundUnanswered } from './refund_connection.ts';
import { sellConnection } from './sell_connection.ts';

/** An agent, and the connection of the SOCKS5 server that it buys. */
export interface Buyer {
  readonly caller: Caller;
  /** The id of the connection. It makes the charge unique. */
  readonly id: string;
}

/** A proxy that a connection may use. */
export type Exit = Pick<SoldProxy, 'id' | 'ip_port' | 'country_code'>;

interface ExitPreferences {
  /** The country; absent: the hot pool. */
  readonly country?: string | undefined;
  /** In small letters, with `-` between its words. */
  readonly city?: string | undefined;
  readonly asn?: number | undefined;
  /** The start position of a session in the pool; `first` is the proxy it had. */
  readonly position: number | undefined;
  readonly first: number | undefined;
}

/**
 * Finds the proxies that a connection tries, best first; empty if none is on sale. Refuses an agent
 * that a charge would refuse.
 */
export async function findExits(
  context: Context,
  buyer: Buyer,
  preferences: ExitPreferences,
): Promise<readonly Exit[]> {
  const found = await performFor(context, findProxies, buyer, preferences);
  return (found as { proxies: Exit[] }).proxies;
}

/** Charges for a connection, once even if repeated, and returns the id of the charge. */
export async function chargeConnection(context: Context, buyer: Buyer): Promise<string> {
  const sold = await untilKnown(() => performFor(context, sellConnection, buyer, {}));
  return (sold as { charge_id: string }).charge_id;
}

/**
 * Refunds, once, the charge for a connection on which the target sent nothing. `bytes` is the
 * number its client sent. False: its tree has reached today's limit of refunds, so it is paid.
 */
export async function refundConnection(
  { database, config }: Context,
  { id, caller: { rootId } }: Buyer,
  { chargeId, bytes }: { chargeId: string; bytes: number },
): Promise<boolean> {
  const unanswered = { id, chargeId, rootId, bytes };
  return untilKnown(() => transact(database, (db) => refundUnanswered({ db, config }, unanswered)));
}

const ATTEMPTS_MAX = 3;

/** Repeats work while its commit is in doubt: the repeat finds the result of the first try. */
async function untilKnown<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      const isUnknown = error instanceof LostCommit || violated(error) === 'charge_call_id_key';
      if (!isUnknown || attempts === ATTEMPTS_MAX) throw error;
    }
  }
}

async function performFor(
  context: Context,
  op: AnyOperation,
  { caller, id }: Buyer,
  input: object,
): Promise<object> {
  const call = { caller, key: id, requestId: id, now: context.clock.now() };
  return (await perform(context, op, input, call))!.body;
}
