import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';

export interface EgressRequest {
  readonly method?: 'GET' | 'POST';
  /** Sent to the first host only. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For all of it: names, connections, redirects, the last byte. */
  readonly timeoutMs: number;
  /** A longer body is a fault. */
  readonly bytesMax: number;
  /** Of a GET; a POST follows none. */
  readonly redirectsMax?: number;
  /**
   * Gets the last body as it comes, with the status of its response: nothing is held, and the
   * response has an empty one. The next chunk waits for it. What it throws ends the request.
   */
  readonly onChunk?: (chunk: Buffer, status: number) => void | Promise<void>;
  /**
   * The connection stays open for a while for requests to the same origin that have the same text
   * here. One that the other side has closed meanwhile may be noticed only after a request went out
   * on it: that is made again, so it must be one that may arrive twice.
   */
  readonly keptFor?: string;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The URL of this response, after the redirects. */
  readonly url: string;
}

/** Nothing is decompressed: a small body could become a large one. */
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
    // An error after the answer has begun is that of the answer.
  }).on('error', () => undefined);

/**
 * The head of the answer. Rejects however else the request ends: one that is upgraded (101) only
 * closes.
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

/** Of answers before the answer (100 to 199). */
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

/** The other side has closed the connection. */
export const isReset = (error: unknown) =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Where a response leads to; undefined: nowhere. */
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
