import type { Socket } from 'node:net';

import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import type { Owner } from '../../../shared/domains/proxies/sale/key_owners.ts';
import type { Denial } from '../denial.ts';
import type { HttpExchange } from '../http/exchange.ts';
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
  /** Ends the wait for its request: its time is over. */
  expire(): void;
  /** Answers that its target was reached. */
  accept(): void;
  /** Answers a client, if it has no answer yet. */
  deny(denial: Denial): void;
  /** One request and its answer; absent: bytes pass as they are. */
  readonly exchange?: HttpExchange | undefined;
}

/** Bytes of empty lines before a request that are skipped (RFC 9112 §2.2). SOCKS5 has none. */
const EMPTY_MAX = 8;

/** The first byte of a client, which stays in the socket. */
export function firstByteOf(client: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    const settle = (answer: () => void) => {
      client.off('readable', read).off('end', fail).off('close', fail);
      answer();
    };
    const fail = () => settle(() => reject(new ProtocolError('disconnected')));
    let skipped = 0;
    const read = () => {
      for (;;) {
        const chunk = client.read() as Buffer | null;
        if (chunk === null) return;
        let from = 0;
        while (from < chunk.length && isLineEnd(chunk[from]!) && skipped < EMPTY_MAX) {
          from += 1;
          skipped += 1;
        }
        if (from === chunk.length) continue;
        client.unshift(chunk.subarray(from));
        settle(() => resolve(chunk[from]!));
        return;
      }
    };
    if (client.readableEnded || client.destroyed) return fail();
    client.on('readable', read).on('end', fail).on('close', fail);
    return read();
  });
}

const isLineEnd = (byte: number) => byte === 0x0d || byte === 0x0a;
