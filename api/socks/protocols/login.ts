import type { Socket } from 'node:net';

import {
  findOwner,
  findOwnerAt,
  type Owner,
} from '../../../shared/domains/proxies/sale/key_owners.ts';
import { addressOf } from '../admission/unauthenticated.ts';
import type { ConnectionLog } from '../records/connection_log.ts';
import type { ServerContext } from '../server_context.ts';
import type { Preferences } from '../user_name.ts';

/** Finds the agent of a key. Without a password, the address of the client counts. */
export const ownerOf = (
  server: ServerContext,
  client: Socket,
  password: string,
): Promise<Owner | undefined> =>
  password === ''
    ? ownerAt(server, client)
    : server.lookups.run(addressOf(client), () => findOwner(server.context, password));

/** Finds the agent whose key the address of this client stands for. */
export async function ownerAt(
  { context, lookups }: ServerContext,
  client: Socket,
): Promise<Owner | undefined> {
  const { remoteAddress } = client;
  if (remoteAddress === undefined) return undefined;
  // Sockets that take both kinds of addresses show IPv4 ones inside IPv6.
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  return lookups.run(addressOf(client), () => findOwnerAt(context, address));
}

export function noteLogin(
  log: ConnectionLog,
  { caller, address }: Owner,
  { country, session }: Preferences,
): void {
  log.agent = caller.agentId;
  if (address !== undefined) log.allowed = true;
  if (country !== undefined) log.country = country;
  if (session !== undefined) log.session = true;
}
