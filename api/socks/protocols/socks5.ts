import type { Socket } from 'node:net';

import type { ConnectionLog } from '../records/connection_log.ts';
import { Denial } from '../denial.ts';
import {
  answerGreeting,
  answerLogin,
  answerRequest,
  LOGIN,
  METHOD,
  ProtocolError,
  readGreeting,
  readLogin,
  readRequest,
  REPLY,
} from '../messages.ts';
import { addressOf } from '../admission/unauthenticated.ts';
import type { ServerContext } from '../server_context.ts';
import { loginOf, noteLogin, ownerAt, ownerOf } from './login.ts';
import type { ClientProtocol, ClientRequest } from './protocol.ts';

/** A client that speaks SOCKS5 (RFC 1928, RFC 1929). */
export function socks5(server: ServerContext, client: Socket, log: ConnectionLog): ClientProtocol {
  const { unauthenticated, refusals } = server;
  /** The answer to the login was its last one. */
  let isDenied = false;

  /** Reads and answers the login. A client at an allowed address needs none. */
  async function logIn(): Promise<Omit<ClientRequest, 'target'>> {
    const methods = await readGreeting(client);
    if (methods.includes(METHOD.password)) return logInWithPassword();
    const owner = methods.includes(METHOD.none) ? await ownerAt(server, client) : undefined;
    if (!owner) {
      answerGreeting(client, METHOD.unacceptable);
      throw new ProtocolError('another way to log in');
    }
    unauthenticated.noteGreeting(client);
    noteLogin(log, owner, {});
    answerGreeting(client, METHOD.none);
    return { owner, preferences: {} };
  }

  async function logInWithPassword(): Promise<Omit<ClientRequest, 'target'>> {
    answerGreeting(client, METHOD.password);
    unauthenticated.noteGreeting(client);
    const { name, password } = await readLogin(client);
    const owner = await ownerOf(server, client, password).catch((cause: unknown) => {
      answerLogin(client, LOGIN.notNow);
      throw new Denial(undefined, 'fault', { cause });
    });
    const login = loginOf(log, owner, { name, password });
    if (login instanceof Denial) {
      // The client still counts for its address while it waits.
      await refusals.wait(addressOf(client));
      answerLogin(client, owner ? LOGIN.badName : LOGIN.wrongKey);
      isDenied = true;
      throw login;
    }
    answerLogin(client, LOGIN.succeeded);
    return login;
  }

  return {
    async readRequest() {
      const login = await logIn();
      const target = await readRequest(client);
      if (typeof target === 'number') throw new Denial(target, 'request_not_supported');
      log.port = target.port;
      return { ...login, target };
    },
    expire: () => void client.destroy(),
    accept: () => answerRequest(client, (log.reply = REPLY.succeeded)),
    deny({ reply }) {
      if (isDenied || reply === undefined || log.reply !== undefined) return;
      answerRequest(client, (log.reply = reply));
    },
  };
}
