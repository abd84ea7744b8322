import type { Socket } from 'node:net';

import type { HostPort } from '../../shared/platform/egress/addresses.ts';
import { findOwner, type Owner } from '../../shared/domains/proxies/sale/key_owners.ts';
import type { ConnectionLog } from './records/connection_log.ts';
import { Denial } from './denial.ts';
import { answerLogin, LOGIN, readLogin, readRequest } from './messages.ts';
import { addressOf } from './admission/unauthenticated.ts';
import type { ServerContext } from './server_context.ts';
import { preferencesOf, type Preferences } from './user_name.ts';

/** The request of a client that has logged in. */
export interface ClientRequest {
  readonly owner: Owner;
  readonly preferences: Preferences;
  /** The target as the client wrote it. */
  readonly target: HostPort;
}

/** Reads and answers a client's login, then reads its request. */
export async function readHandshake(
  { context, unauthenticated, refusals, lookups }: ServerContext,
  client: Socket,
  log: ConnectionLog,
): Promise<ClientRequest> {
  const { name, password } = await readLogin(client, () => unauthenticated.noteGreeting(client));
  const address = addressOf(client);
  const look = () => findOwner(context, password);
  const owner = await lookups.run(address, look).catch((cause: unknown) => {
    answerLogin(client, LOGIN.notNow);
    throw new Denial(undefined, 'fault', { cause });
  });
  const preferences = preferencesOf(name);
  if (!owner || !preferences) {
    // The client still counts for its address while it waits.
    await refusals.wait(address);
    answerLogin(client, owner ? LOGIN.badName : LOGIN.wrongKey);
    throw new Denial(undefined, owner ? 'bad_user_name' : 'wrong_key');
  }
  log.agent = owner.caller.agentId;
  if (preferences.country) log.country = preferences.country;
  if (preferences.session) log.session = true;
  answerLogin(client, LOGIN.succeeded);
  const target = await readRequest(client);
  if (typeof target === 'number') throw new Denial(target, 'request_not_supported');
  log.port = target.port;
  return { owner, preferences, target };
}
