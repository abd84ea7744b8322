/**
 * Kinds of refusals that a provider may mean by an error:
 * batch: so many questions in one request. range: logs of so many blocks, or so many logs.
 * rate: so many requests in so short a time. history: a block or a state that it no longer has.
 * other: the question itself, as a call that a contract rejects.
 */
type RefusalKind = 'batch' | 'range' | 'rate' | 'history' | 'other';

/** An error that a provider answered instead of a result. Its message is redacted. */
export class RpcRefusal extends Error {
  readonly kind: RefusalKind;
  /** The number that the provider names as its limit; undefined: it names none. */
  readonly limit: number | undefined;

  constructor(message: string, kind: RefusalKind = 'other', limit?: number) {
    super(message);
    this.kind = kind;
    this.limit = limit;
  }
}

/** An error object of JSON-RPC, as a provider sent it. */
export interface RpcError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** A question: its method, the questions of its request and the blocks of its range. */
interface Asked {
  readonly method: string;
  readonly questions: number;
  readonly blocks: number;
}

const RATE_CODES = [429, -32_007, -32_029];
const PRUNED_CODES = [4_444, -32_701];
const RATE =
  /too many requests|rate.?limit|per.second|second limit|throughput|compute units|daily request/i;
const HISTORY = new RegExp(
  [
    'missing trie node|prun|historical state|archive|height is .{1,40} but requested',
    'state .{0,40}(?:not available|unavailable)',
  ].join('|'),
  'i',
);
const BATCH = /batch/i;
const LOGS =
  /range|results|response size|too large|too many (?:blocks|logs)|blocks? distance|timed? ?out/i;

export const saidIn = ({ message }: RpcError): string =>
  typeof message === 'string' ? message : 'an error';

/**
 * The kind of a refusal, by the code and the words that public providers use. Of those that are not
 * known, one of a batch or of a range counts as about its size: it is asked in smaller ones then.
 */
export function kindOf(error: RpcError, { method, questions, blocks }: Asked): RefusalKind {
  const words = saidIn(error);
  const code = Number(error.code);
  const isOfLogs = method === 'eth_getLogs' && blocks > 1;
  if (isOfLogs && LOGS.test(words)) return 'range';
  if (RATE_CODES.includes(code) || RATE.test(words)) return 'rate';
  if (questions > 1 && BATCH.test(words)) return 'batch';
  if (PRUNED_CODES.includes(code) || HISTORY.test(words)) return 'history';
  if (code === METHOD_UNKNOWN) return 'other';
  return isOfLogs ? 'range' : 'other';
}

const METHOD_UNKNOWN = -32_601;

/** The largest number in the words of a refusal that is less than what was asked. */
export function limitIn(words: string, asked: number): number | undefined {
  const numbers = words
    .slice(0, 500)
    .replace(/0x[\da-f]*/gi, '')
    .replace(/(?<=\d)[,_](?=\d{3})/g, '')
    .match(/(?<![\w.-])\d{1,9}(?!\w|\.\d)/g);
  const smaller = (numbers ?? []).map(Number).filter((one) => one > 0 && one < asked);
  return smaller.length > 0 ? Math.max(...smaller) : undefined;
}
