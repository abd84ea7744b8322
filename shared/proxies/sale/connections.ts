import type { Caller } from '../../agents/caller.ts';
import { LostCommit, transact } from '../../platform/database.ts';
import { violated } from '../../platform/fault.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { perform } from '../../kernel/perform.ts';
import { METERED, refundCharge } from '../../wallet/charge.ts';
import type { Context } from '../../kernel/context.ts';
import { findProxies } from './find_proxies.ts';
import type { Sold } from '../proxies.ts';
import { sellConnection } from './sell_connection.ts';

/** What the SOCKS5 door asks of the marketplace for one connection. */
export interface Buyer {
  readonly caller: Caller;
  /** Of the connection: what it is charged by, once. */
  readonly id: string;
}

export type Exit = Pick<Sold, 'id' | 'ip_port' | 'country_code'>;

interface Wanted {
  /** Absent: from the hot pool. */
  readonly country: string | undefined;
  /** Of a session: where in the pool to begin, and the proxy that it had. */
  readonly place: number | undefined;
  readonly first: number | undefined;
}

/** Proxies to try, best first, none where none is on sale; refuses whom a charge would refuse. */
export async function proxiesFor(
  context: Context,
  buyer: Buyer,
  wanted: Wanted,
): Promise<readonly Exit[]> {
  const found = await act(context, findProxies, buyer, wanted);
  return (found as { proxies: Exit[] }).proxies;
}

/** Charges for a connection, once however often it is called, and answers the charge. */
export async function sell(context: Context, buyer: Buyer): Promise<string> {
  const sold = await untilKnown(() => act(context, sellConnection, buyer, {}));
  return (sold as { charge_id: string }).charge_id;
}

/** Gives back, once, what was charged for a connection that could not be handed over. */
export async function giveBack({ database }: Context, { id }: Buyer, chargeId: string) {
  const refund = { chargeId, cause: `connection:${id}`, amount: METERED.proxy.unitPrice };
  await untilKnown(() => transact(database, (db) => refundCharge(db, refund)));
}

const TRIES_MAX = 3;

/** Again where nobody knows whether it was committed: the second time finds what the first did. */
async function untilKnown<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isUnknown = error instanceof LostCommit || violated(error) === 'charge_call_id_key';
      if (!isUnknown || tries === TRIES_MAX) throw error;
    }
  }
}

async function act(context: Context, op: AnyOperation, { caller, id }: Buyer, input: object) {
  const call = { caller, key: id, requestId: id, now: context.clock.now() };
  return (await perform(context, op, input, call))!.body;
}
