import type { Socket } from 'node:net';

import type { HostPort } from '../../shared/platform/addresses.ts';
import { crashPoint } from '../../shared/platform/crash_point.ts';
import {
  giveBack,
  proxiesFor,
  sell,
  type Buyer,
  type Exit,
} from '../../shared/proxies/sale/connections.ts';
import { keepProxy, proxyOf, sessionOf, type Session } from '../../shared/proxies/sale/sessions.ts';
import type { Guest } from './connections.ts';
import { dial } from './dial.ts';
import { answerRequest, REPLY } from './messages.ts';
import { Denied, type Line } from './outcome.ts';
import type { Parts } from './parts.ts';
import { relay } from './relay.ts';
import type { Wish } from './user_name.ts';

/** A target, reached through a proxy and not yet paid for. */
interface Reached {
  readonly proxy: Exit;
  readonly upstream: Socket;
  readonly session: Session | undefined;
}

/** Reaches the target through one of the proxies on sale, for an agent that could pay for it. */
export async function reach(
  { context, egress, limits, rechecks }: Parts,
  { guest, wish, target }: { guest: Guest; wish: Wish; target: HostPort },
  line: Line,
): Promise<Reached> {
  const { signal } = guest.ended;
  const buyer = buyerOf(guest);
  const { country, session: name } = wish;
  const { agentId } = buyer.caller;
  const session = name === undefined ? undefined : sessionOf(context, { agentId, country, name });
  const proxies = await proxiesFor(context, buyer, {
    country,
    place: session?.place,
    first: session && (await proxyOf(context, session)),
  });
  if (proxies.length === 0) throw new Denied(REPLY.networkUnreachable, 'no_proxy');

  const { reached, told, tries, dead } = await dial(egress, { proxies, target }, limits, signal);
  line.tries = tries;
  for (const proxy of dead) rechecks.add(proxy.id);
  if (!reached) throw new Denied(told, signal.aborted ? signal.reason : 'not_reached');
  line.proxy = reached.proxy.id;
  line.exit = reached.proxy.country_code;
  return { ...reached, session };
}

/** A proxy that grants and then says nothing is as dead as others; who sent more had its use. */
const SILENT_BYTES_MAX = 16_384;

/**
 * Sells a connection and then, not before, tells its client so and lets bytes through. What was
 * sold and could not be handed over is given back. `stay`: the client may end its half from now on.
 */
export async function handOver(
  { context, rechecks }: Parts,
  client: Socket,
  { guest, reached, stay }: { guest: Guest; reached: Reached; stay: () => void },
  line: Line,
): Promise<void> {
  const { signal } = guest.ended;
  const buyer = buyerOf(guest);
  const { proxy, upstream, session } = reached;
  try {
    line.charge = await sell(context, buyer);
    crashPoint('S1');
    const hasLeft = upstream.destroyed || upstream.readableEnded;
    if (hasLeft || signal.aborted) {
      await refund();
      throw new Denied(REPLY.failure, signal.aborted ? signal.reason : 'proxy_left');
    }
    stay();
    answerRequest(client, (line.told = REPLY.succeeded));
    if (session) keepProxy(context, session, proxy.id);

    const { up, down, isSilent } = await relay({ client, upstream }, signal);
    Object.assign(line, { up, down });
    if (!isSilent || up > SILENT_BYTES_MAX) return;
    rechecks.add(proxy.id);
    await refund();
  } finally {
    upstream.destroy();
  }

  async function refund(): Promise<void> {
    await giveBack(context, buyer, line.charge!);
    line.refunded = true;
  }
}

const buyerOf = ({ id, owner: { caller } }: Guest): Buyer => ({ id, caller });
