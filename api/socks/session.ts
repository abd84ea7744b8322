import type { Socket } from 'node:net';

import type { HostPort } from '../../shared/platform/addresses.ts';
import { findOwner, type Owner } from '../../shared/proxies/sale/key_owners.ts';
import type { Guest } from './connections.ts';
import { answerLogin, LOGIN, readLogin, readRequest, REPLY } from './messages.ts';
import { Denied, type Line } from './outcome.ts';
import type { Parts } from './parts.ts';
import { handOver, reach } from './tunnel.ts';
import { openTarget } from './targets.ts';
import { wishOf, type Wish } from './user_name.ts';

/** A client that has proved whose it is, and has said where it wants to go. */
interface Visitor {
  readonly owner: Owner;
  readonly wish: Wish;
  readonly asked: HostPort;
}

/** What a client says first, read and answered as far as its request. */
export async function receive({ context }: Parts, client: Socket, line: Line): Promise<Visitor> {
  const { name, password } = await readLogin(client);
  const owner = await findOwner(context, password).catch((cause: unknown) => {
    answerLogin(client, LOGIN.notNow);
    throw new Denied(undefined, 'fault', { cause });
  });
  const wish = wishOf(name);
  if (!owner || !wish) {
    answerLogin(client, owner ? LOGIN.badName : LOGIN.wrongKey);
    throw new Denied(undefined, owner ? 'bad_user_name' : 'wrong_key');
  }
  line.agent = owner.caller.agentId;
  if (wish.country) line.country = wish.country;
  if (wish.session) line.session = true;
  answerLogin(client, LOGIN.succeeded);
  const asked = await readRequest(client);
  if (typeof asked === 'number') throw new Denied(asked, 'request_not_supported');
  line.port = asked.port;
  return { owner, wish, asked };
}

/** Takes a visitor where it wants to go, if it may, and stays until it is back. */
export async function guide(
  parts: Parts,
  client: Socket,
  { owner, wish, asked }: Visitor,
  line: Line,
): Promise<void> {
  const { settings, crowd, limits } = parts;
  const target = openTarget(asked, settings.targetPorts);
  if (!target) throw new Denied(REPLY.notAllowed, 'forbidden_target');
  const ended = new AbortController();
  const guest: Guest = { id: line.connection, owner, ended };
  const life = setTimeout(() => ended.abort('too_long'), limits.lifeMs);
  client.setTimeout(limits.idleMs, () => ended.abort('idle'));
  // Before our answer a client has nothing more to say, so one that has said all has left.
  const leave = () => ended.abort('hung_up');
  client.once('end', leave).once('close', leave);
  if (client.destroyed || client.readableEnded) leave();
  try {
    if (!(await crowd.enter(guest))) throw new Denied(REPLY.failure, 'too_many_connections');
    const reached = await reach(parts, { guest, wish, target }, line);
    await handOver(parts, client, { guest, reached, stay }, line);
    line.outcome = ended.signal.aborted ? String(ended.signal.reason) : 'done';
  } finally {
    clearTimeout(life);
    crowd.leave(guest);
  }

  function stay(): void {
    client.off('end', leave).off('close', leave);
  }
}
