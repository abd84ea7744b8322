import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';

import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import type { Owner } from '../../../shared/domains/proxies/sale/key_owners.ts';
import type { Denial } from '../denial.ts';
import { ProtocolError } from '../messages.ts';
import type { Preferences } from '../user_name.ts';

/** The request of a client that has logged in. */
export interface ClientRequest {
  readonly owner: Owner;
  readonly preferences: Preferences;
  /** The target as the client wrote it. */
  readonly target: HostPort;
}

/** The protocol that a client of the server speaks. */
export interface ClientProtocol {
  /** Reads and answers its login, and reads its request. */
  readRequest(): Promise<ClientRequest>;
  /** Answers that its target was reached. */
  accept(): void;
  /** Answers a client that has no answer yet. */
  deny(denial: Denial): void;
  /** Changes of the bytes to the target and from it; absent: they pass as they are. */
  readonly filters?: { readonly up: Transform; readonly down: Transform } | undefined;
}

/** The first byte of a client, which stays in the socket. */
export function firstByteOf(client: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    const settle = (answer: () => void) => {
      client.off('readable', read).off('end', fail).off('close', fail);
      answer();
    };
    const fail = () => settle(() => reject(new ProtocolError('disconnected')));
    const read = () => {
      const chunk = client.read() as Buffer | null;
      if (chunk === null) return;
      client.unshift(chunk);
      settle(() => resolve(chunk[0]!));
    };
    if (client.readableEnded || client.destroyed) return fail();
    client.on('readable', read).on('end', fail).on('close', fail);
    return read();
  });
}
