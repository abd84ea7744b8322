import type { Caller } from '../../agents/caller.ts';
import { LostCommit, transact } from '../../platform/database.ts';
import { violated } from '../../platform/fault.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { perform } from '../../kernel/perform.ts';
import type { Context } from '../../kernel/context.ts';
import { findProxies } from './find_proxies.ts';
import type { SoldProxy } from '../proxies.ts';
import { refundUnanswered } from './refund_connection.ts';
import { sellConnection } from './sell_connection.ts';

/** An agent, and the connection of the SOCKS5 server that it buys. */
export interface Buyer {
  readonly caller: Caller;
  /** Of the connection. It makes the charge unique. */
  readonly id: string;
}

/** A proxy that a connection may leave by. */
export type Exit = Pick<SoldProxy, 'id' | 'ip_port' | 'country_code'>;

interface ExitPreferences {
  /** Absent: from the hot pool. */
  readonly country: string | undefined;
  /** Of a session: where in the pool to begin, and the proxy that it had. */
  readonly position: number | undefined;
  readonly first: number | undefined;
}

/**
 * The proxies that a connection tries, best first; none where none is on sale. Refuses an agent
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

/** Charges for a connection, once however often it is called, and answers the charge. */
export async function chargeConnection(context: Context, buyer: Buyer): Promise<string> {
  const sold = await untilKnown(() => performFor(context, sellConnection, buyer, {}));
  return (sold as { charge_id: string }).charge_id;
}

/**
 * Gives back, once, the charge for a connection on which the target sent nothing. `bytes` is what
 * its client sent. False: its tree has had back what it may today, so this one is paid.
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

/** Repeats what may or may not have been committed: the repeat finds what the first one did. */
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
