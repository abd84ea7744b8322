import type { Socket } from 'node:net';

import {
  findOwner,
  findOwnerAt,
  type Owner,
} from '../../../shared/domains/proxies/sale/key_owners.ts';
import { addressOf } from '../admission/unauthenticated.ts';
import { Denial } from '../denial.ts';
import { REPLY } from '../messages.ts';
import type { ConnectionLog } from '../records/connection_log.ts';
import type { ServerContext } from '../server_context.ts';
import { BadUserName, preferencesOf, type Preferences } from '../user_name.ts';
import type { ClientRequest } from './protocol.ts';

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

/** Reads the user name of this owner, or returns the denial of the login. */
export function loginOf(
  log: ConnectionLog,
  owner: Owner | undefined,
  { name, password }: { readonly name: string; readonly password: string },
): Omit<ClientRequest, 'target'> | Denial {
  if (!owner) return new Denial(REPLY.failure, password === '' ? 'no_login' : 'wrong_key');
  try {
    const preferences = preferencesOf(name);
    noteLogin(log, owner, preferences);
    return { owner, preferences };
  } catch (error) {
    if (!(error instanceof BadUserName)) throw error;
    // The owner of the key is told, because SOCKS5 has only a number for it.
    noteLogin(log, owner, {});
    return new Denial(REPLY.failure, 'bad_user_name', { sentence: error.message });
  }
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
