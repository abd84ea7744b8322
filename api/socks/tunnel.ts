import type { Socket } from 'node:net';

import type { HostPort } from '../../shared/platform/egress/addresses.ts';
import { crashPoint } from '../../shared/platform/crash_point.ts';
import {
  chargeConnection,
  findExits,
  refundConnection,
  type Buyer,
  type Exit,
} from '../../shared/domains/proxies/sale/connections.ts';
import {
  keepProxy,
  proxyOf,
  sessionOf,
  type Session,
} from '../../shared/domains/proxies/sale/sessions.ts';
import type { ConnectionLog } from './records/connection_log.ts';
import type { Connection } from './admission/connection.ts';
import { Denial } from './denial.ts';
import { dial } from './dial.ts';
import { exchange, type ExchangeFailure } from './http/exchange.ts';
import { REPLY } from './messages.ts';
import type { ClientProtocol } from './protocols/protocol.ts';
import { relay, type RelayStats } from './relay.ts';
import type { ServerContext } from './server_context.ts';
import type { Preferences } from './user_name.ts';
import { NO_ANSWER, verdictOf } from './verdict.ts';

/** A target that was reached through a proxy, and is not paid for yet. */
interface Upstream {
  readonly proxy: Exit;
  readonly socket: Socket;
  readonly session: Session | undefined;
}

interface TunnelRequest {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly target: HostPort;
}

interface SoldConnection {
  readonly protocol: ClientProtocol;
  readonly connection: Connection;
  readonly upstream: Upstream;
  readonly onSold: () => void;
}

/** Reaches the target through one of the proxies on sale, for an agent that could pay for it. */
export async function openUpstream(
  { context, egress, limits, rechecks }: ServerContext,
  { connection, preferences, target }: TunnelRequest,
  log: ConnectionLog,
): Promise<Upstream> {
  const { signal } = connection.ended;
  const buyer = buyerOf(connection);
  const { session: name, ttlS, ...exit } = preferences;
  const { agentId } = buyer.caller;
  const session =
    name === undefined ? undefined : sessionOf(context, { agentId, name, ttlS, ...exit });
  const proxies = await findExits(context, buyer, {
    ...exit,
    position: session?.position,
    first: session && (await proxyOf(context, session)),
  });
  if (proxies.length === 0) throw new Denial(REPLY.networkUnreachable, 'no_proxy');

  const { reached, reply, dials, dead } = await dial(egress, { proxies, target }, limits, signal);
  log.dials = dials;
  for (const proxy of dead) rechecks.add(proxy.id);
  if (!reached) throw new Denial(reply, signal.aborted ? signal.reason : 'not_reached');
  const { proxy, upstream: socket } = reached;
  log.proxy = proxy.id;
  log.exit = proxy.country_code;
  return { proxy, socket, session };
}

/**
 * Sells a connection, then answers its client and lets bytes through. A connection that was sold
 * but could not be handed over is refunded, and so is one that `verdictOf` calls refundable.
 * `onSold`: from now on the client may end its half.
 */
export async function sellTunnel(
  { context, limits, rechecks }: ServerContext,
  client: Socket,
  { protocol, connection, upstream: { proxy, socket, session }, onSold }: SoldConnection,
  log: ConnectionLog,
): Promise<void> {
  const { signal } = connection.ended;
  const buyer = buyerOf(connection);
  try {
    log.charge = await chargeConnection(context, buyer);
    crashPoint('S1');
    const isClosed = socket.destroyed || socket.readableEnded;
    if (isClosed || signal.aborted) {
      await refund(0);
      const outcome = signal.aborted ? String(signal.reason) : 'proxy_disconnected';
      throw denialFor({ outcome }, false);
    }
    onSold();
    protocol.accept();
    if (session) keepProxy(context, session, proxy.id);

    const { failure, ...stats } = await relayUntilSilent();
    const { up, down } = stats;
    Object.assign(log, { up, down });
    const { isDead, isRefundable } = verdictOf(stats, signal.reason, limits);
    if (isDead) rechecks.add(proxy.id);
    if (isRefundable) await refund(Math.max(1, up));
    if (failure) throw denialFor(failure, log.refunded === undefined);
  } finally {
    socket.destroy();
  }

  /** Relays until the end, but does not wait too long for a target that sends nothing. */
  async function relayUntilSilent(): Promise<RelayStats & { failure?: ExchangeFailure }> {
    const received = socket.bytesRead - socket.readableLength;
    const silent = setTimeout(() => {
      if (socket.bytesRead === received) connection.ended.abort(NO_ANSWER);
    }, limits.silentMs);
    const sides = { client, upstream: socket };
    const relayed = protocol.exchange
      ? exchange(sides, protocol.exchange, signal)
      : relay(sides, signal);
    return relayed.finally(() => clearTimeout(silent));
  }

  async function refund(bytes: number): Promise<void> {
    const isRefunded = await refundConnection(context, buyer, { chargeId: log.charge!, bytes });
    if (isRefunded) log.refunded = true;
  }
}

const denialFor = ({ outcome, message }: ExchangeFailure, isCharged: boolean): Denial =>
  new Denial(REPLY.failure, outcome, {
    isCharged,
    ...(message !== undefined && { sentence: message }),
  });

const buyerOf = ({ id, owner: { caller } }: Connection): Buyer => ({ id, caller });
