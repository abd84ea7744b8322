import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SecureContext } from 'node:tls';

/** Maximum interim answers (100 to 199). */
const INTERIM_MAX = 5;

interface FetchOptions {
  readonly timeoutMs: number;
  readonly charsMax: number;
  /** Authorities to trust; absent: the usual ones. */
  readonly secureContext?: SecureContext | undefined;
}

/**
 * The body of a 200 answer; undefined: another status. It settles in time, whatever comes, because
 * a connection may end without an event, as an upgraded one does. Through proxies:
 * text_through.ts.
 */
export function textAt(url: string, { timeoutMs, charsMax, secureContext }: FetchOptions) {
  return new Promise<string | undefined>((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const sent = request(url, { agent: false, ...(secureContext && { secureContext }) });
    const end = (fault: string) => {
      clearTimeout(timeUp);
      reject(new Error(fault));
      sent.destroy();
    };
    const timeUp = setTimeout(end, timeoutMs, 'it took too long');
    let interim = 0;
    sent.on('error', ({ message }) => end(message));
    let response: IncomingMessage | undefined;
    sent.on('close', () => response ?? end('it ended without an answer'));
    sent.on('information', () => {
      interim += 1;
      if (interim > INTERIM_MAX) end('it answers without end');
    });
    sent.on('response', (received) => {
      response = received;
      let text = '';
      received.setEncoding('utf8').on('error', ({ message }) => end(message));
      received.on('data', (piece: string) => {
        text += piece;
        if (text.length > charsMax) end('the answer is too long');
      });
      received.on('end', () => {
        clearTimeout(timeUp);
        resolve(received.statusCode === 200 ? text : undefined);
      });
      received.on('close', () => end('it ended within its answer'));
    });
    sent.end();
  });
}
