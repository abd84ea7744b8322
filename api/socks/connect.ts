import type { Socket } from 'node:net';

import type { HostPort } from '../../shared/platform/egress/addresses.ts';
import type { ConnectionLog } from './records/connection_log.ts';
import { isOnCredit } from '../../shared/domains/proxies/sale/key_owners.ts';
import type { Connection } from './admission/connection.ts';
import { addressOf } from './admission/unauthenticated.ts';
import { Denial } from './denial.ts';
import { REPLY } from './messages.ts';
import type { ClientProtocol, ClientRequest } from './protocols/protocol.ts';
import type { ServerContext } from './server_context.ts';
import { allowedTarget } from './targets.ts';
import { openUpstream, sellTunnel } from './tunnel.ts';

/** Connects a client to its target, if it may, and serves the connection until it ends. */
export async function connectClient(
  server: ServerContext,
  client: Socket,
  { protocol, request }: { protocol: ClientProtocol; request: ClientRequest },
  log: ConnectionLog,
): Promise<void> {
  const { context, settings, connections, limits, lookups, refusals, unauthenticated } = server;
  const { owner, preferences, target: requested } = request;
  const { rootId } = owner.caller;
  const address = addressOf(client);
  const ended = new AbortController();
  const life = setTimeout(() => ended.abort('too_long'), limits.lifeMs);
  client.setTimeout(limits.idleMs, () => ended.abort('idle'));
  // Before our answer a client has nothing more to send, so the end of its half is a disconnect.
  const disconnect = () => ended.abort('disconnected');
  client.once('end', disconnect).once('close', disconnect);
  if (client.destroyed || client.readableEnded) disconnect();
  try {
    const target = targetFor(requested, settings.targetPorts);
    const connection: Connection = {
      id: log.connection,
      owner,
      isOnCredit: await lookups.run(rootId, () => isOnCredit(context, owner)),
      bytes: () => client.bytesRead + client.bytesWritten,
      ended,
    };
    const sentence = await connections.add(connection);
    if (sentence !== undefined) {
      throw new Denial(REPLY.failure, 'too_many_connections', { sentence });
    }
    unauthenticated.release(client);
    const upstream = await openUpstream(server, { connection, preferences, target }, log);
    await sellTunnel(server, client, { protocol, connection, upstream, onSold }, log);
    log.outcome = ended.signal.aborted ? String(ended.signal.reason) : 'done';
  } catch (error) {
    // The client keeps its place while it waits, even if it has left. A client that was refused
    // because of its proxies or its target has waited for those already.
    const isOwn = (log.dials === undefined || ended.signal.aborted) && log.reply === undefined;
    if (isOwn) await Promise.all([refusals.wait(rootId), refusals.wait(address)]);
    throw error;
  } finally {
    clearTimeout(life);
    connections.remove({ id: log.connection });
  }

  function onSold(): void {
    client.off('end', disconnect).off('close', disconnect);
  }
}

/** The target in its one spelling, if its address and its port are allowed. */
function targetFor(requested: HostPort, ports: readonly number[]): HostPort {
  if (!ports.includes(requested.port)) {
    const sentence =
      `The port ${requested.port} of the target is not for sale. ` +
      `Ports of targets are ${ports.join(', ')}.`;
    throw new Denial(REPLY.notAllowed, 'forbidden_port', { sentence });
  }
  const target = allowedTarget(requested);
  if (!target) throw new Denial(REPLY.notAllowed, 'forbidden_target');
  return target;
}
