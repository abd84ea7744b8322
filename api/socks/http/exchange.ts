import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';

import { linger } from '../linger.ts';
import { watchSides, type RelayStats } from '../relay.ts';
import { BadResponse, type Response } from './response.ts';

/** One request and its answer, as they pass. */
export interface HttpExchange {
  readonly request: Transform;
  readonly response: Response;
}

/** The reason why a client has no answer of its target. */
export interface ExchangeFailure {
  readonly outcome: string;
  /** The fault in the request. */
  readonly message?: string;
}

interface ExchangeStats extends RelayStats {
  /** Absent: the client has its answer, or can have none any more. */
  readonly failure?: ExchangeFailure;
}

/**
 * Passes one request and its answer, and ends the client's connection when the answer is complete,
 * whatever the target does with its own. Where the target gives no answer, the client stays
 * connected for the reason.
 */
export async function exchange(
  { client, upstream }: { client: Socket; upstream: Socket },
  { request, response }: HttpExchange,
  ended: AbortSignal,
): Promise<ExchangeStats> {
  const watch = watchSides({ client, upstream });
  const end = await new Promise<'answered' | 'disconnected' | ExchangeFailure>((resolve) => {
    const fail = (outcome: string, message?: string) =>
      resolve({ outcome, ...(message !== undefined && { message }) });
    const abort = () => {
      watch.noteEnd('server');
      fail(String(ended.reason));
    };
    request.once('error', ({ message }) => {
      watch.noteEnd('server');
      fail('bad_body', message);
    });
    response.bytes
      .once('end', () => resolve('answered'))
      .once('error', (error) => fail((error as BadResponse).outcome));
    upstream
      .once('error', () => fail('proxy_disconnected'))
      .once('close', () => {
        if (!upstream.readableEnded) fail('proxy_disconnected');
      });
    client.once('close', () => resolve('disconnected'));
    ended.addEventListener('abort', abort, { once: true });
    if (ended.aborted) abort();
    client.pipe(request).pipe(upstream);
    upstream.pipe(response.bytes).pipe(client, { end: false });
  });
  client.unpipe(request);
  request.unpipe(upstream);
  upstream.unpipe(response.bytes);
  response.bytes.unpipe(client);
  const hasAnswer = end === 'answered' && (await hasFinished(client, ended));
  if (hasAnswer) linger(client);
  const failure = typeof end === 'object' && !response.hasBegun() ? end : undefined;
  // A reset, not a normal end, or the client would believe that it has everything.
  if (!hasAnswer && !failure && !client.destroyed) client.resetAndDestroy();
  return { ...watch.stats(), ...(failure && { failure }) };
}

/** Ends a client's half. False: the client did not take all of it. */
function hasFinished(client: Socket, ended: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (client.destroyed || ended.aborted) return resolve(false);
    client.once('close', () => resolve(client.writableFinished));
    ended.addEventListener('abort', () => resolve(false), { once: true });
    return client.end(() => resolve(true));
  });
}
