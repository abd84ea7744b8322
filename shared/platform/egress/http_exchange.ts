import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';

export interface EgressRequest {
  readonly method?: 'GET' | 'POST';
  /** Headers, sent to the first host only. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Timeout for all of it: lookups, connections, redirects, the last byte. */
  readonly timeoutMs: number;
  /** Maximum size of the body; a longer one is a fault. */
  readonly bytesMax: number;
  /** Maximum redirects of a GET; a POST follows none. */
  readonly redirectsMax?: number;
  /**
   * Receives the last body in chunks, with the status of its response; the response then has an
   * empty body. The next chunk waits for it. An error that it throws ends the request.
   */
  readonly onChunk?: (chunk: Buffer, status: number) => void | Promise<void>;
  /**
   * The connection stays open for a while for requests to the same origin with the same value here.
   * If the other side has closed it, that may be noticed only after a request was sent on it. That
   * request is sent again, so it must be one that may arrive twice.
   */
  readonly keptFor?: string;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** URL of this response, after redirects. */
  readonly url: string;
}

/** Sends a request. Bodies are not decompressed: a small one could become large. */
export const requestOf = (
  url: URL,
  { method = 'GET', headers, keptFor }: EgressRequest,
  signal: AbortSignal,
  connection: object,
) =>
  httpRequest({
    ...connection,
    method,
    path: url.pathname + url.search,
    headers: {
      ...headers,
      host: url.host,
      'accept-encoding': 'identity',
      connection: keptFor === undefined ? 'close' : 'keep-alive',
    },
    signal,
    // An error after the answer has begun is reported by the answer.
  }).on('error', () => undefined);

/**
 * The head of the answer. Rejects if the request ends in another way: an upgraded request (101)
 * only closes.
 */
export function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim > INTERIM_MAX) sent.destroy(new Error('it answers without end'));
    });
    sent.once('response', resolve).once('error', reject);
    sent.once('close', () => reject(new Error('it ended without an answer')));
  });
}

/** Maximum interim answers (status 100 to 199). */
const INTERIM_MAX = 10;

export async function readAnswer(
  answer: IncomingMessage,
  url: URL,
  { bytesMax, onChunk }: EgressRequest,
): Promise<EgressResponse> {
  const { headers } = answer;
  const status = answer.statusCode!;
  const isLast = redirectOf(status, headers) === undefined;
  const take = isLast && onChunk ? (chunk: Buffer) => onChunk(chunk, status) : undefined;
  const body = await bodyOf(answer, bytesMax, take);
  return { status, headers, body, url: url.href };
}

/** Whether the other side has closed the connection. */
export const isReset = (error: unknown) =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The target of a redirect; undefined: the response is none. */
export const redirectOf = (status: number, { location }: IncomingHttpHeaders) =>
  REDIRECTS.has(status) ? location || undefined : undefined;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

async function bodyOf(
  answer: AsyncIterable<Buffer>,
  bytesMax: number,
  onChunk?: (chunk: Buffer) => void | Promise<void>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`the answer is longer than ${bytesMax} bytes`);
    if (onChunk) await onChunk(chunk);
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
