import { exchange, type Answered, type Endpoint } from './exchange.ts';
import { openLogRange } from './log_range.ts';
import type { Profile } from './profile.ts';
import type { Question } from './question.ts';
import { redacted, secretsIn } from './redact.ts';
import { kindOf, limitIn, RpcRefusal, saidIn, type RpcError } from './refusal.ts';

/** The result of one question, or why there is none. */
export type Said = { readonly value: unknown } | { readonly refusal: RpcRefusal };

/** Sends questions in one request, and what the provider refuses for its rate again. */
export type Sender = (questions: readonly Question[]) => Promise<readonly Said[]>;

const TRIES_MAX = 3;
/** Statuses that say nothing about the size of a batch, unless the words do. */
const isOfAccess = (status: number) => [401, 403, 404].includes(status) || status >= 500;

interface Request {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: RpcError;
}

export function openSender(endpoint: Endpoint, profile: Profile): Sender {
  const own = secretsIn(endpoint.url, endpoint.headers);
  const reader = { name: profile.name, shown: (words: string) => redacted(words, own) };
  let id = 0;

  async function send(requests: readonly Request[]): Promise<readonly Said[]> {
    const turn = await profile.spacing.turn();
    const blocks = requests.filter(isOfWholeBlock).length;
    profile.count({ requests: 1, calls: requests.length, blocks });
    const answered = await exchange(endpoint, requests.length > 1 ? requests : requests[0]!).catch(
      (error: Error) => {
        throw new Error(`${profile.name} does not answer: ${reader.shown(error.message)}`);
      },
    );
    const said = readAnswers(answered, requests, reader);
    if (said.some(isTooFast)) turn.refused(answered.retryAfterMs);
    else turn.answered();
    const refused = said.filter((one) => 'refusal' in one && one.refusal.kind !== 'other').length;
    profile.count({ refused });
    return said;
  }

  return async (questions) => {
    const requests = questions.map(([method, params]): Request => {
      id += 1;
      return { jsonrpc: '2.0', id, method, params };
    });
    try {
      const said = [...(await send(requests))];
      for (let tries = 1; tries < TRIES_MAX && said.some(isTooFast); tries += 1) {
        const again = requests.filter((_one, at) => isTooFast(said[at]!));
        const answers = await send(again);
        again.forEach((request, at) => (said[requests.indexOf(request)] = answers[at]!));
      }
      const faults = said.flatMap((one) => ('refusal' in one ? one.refusal : []));
      profile.note(faults.find(({ kind }) => kind !== 'other')?.message);
      return said;
    } catch (error) {
      profile.note((error as Error).message);
      throw error;
    }
  };
}

const isOfWholeBlock = ({ method, params }: Request) =>
  method === 'eth_getBlockByNumber' && params[1] === true;

const isTooFast = (said: Said): boolean => 'refusal' in said && said.refusal.kind === 'rate';

interface Reader {
  readonly name: string;
  readonly shown: (words: string) => string;
}

function readAnswers(
  { status, value }: Answered,
  requests: readonly Request[],
  { name, shown }: Reader,
): readonly Said[] {
  const refuse = (kind: RpcRefusal['kind'], words: string) =>
    requests.map(({ method }): Said => {
      const limit = limitIn(words, requests.length);
      return { refusal: new RpcRefusal(`${method}: ${shown(words)}`, kind, limit) };
    });
  const isBatch = requests.length > 1;
  const error = Array.isArray(value) ? undefined : (value as Answer | null | undefined)?.error;
  if (status === 429) return refuse('rate', error ? saidIn(error) : 'too many requests');
  if (isBatch && status === 413) return refuse('batch', 'the request is too large');
  if (value === undefined || value === null) {
    throw new Error(`${name} answers something that is no JSON`);
  }
  if (isBatch && !Array.isArray(value)) {
    const words = error ? saidIn(error) : 'no list of answers';
    const asked = { method: '', questions: requests.length, blocks: 0 };
    const kind = error && kindOf(error, asked);
    if (kind === 'rate') return refuse('rate', words);
    const isOfSize = kind === 'batch' || (kind !== 'history' && !isOfAccess(status));
    return refuse(isOfSize ? 'batch' : 'other', words);
  }
  const answers = (isBatch ? value : [value]) as readonly (Answer | null)[];
  const byId = new Map(answers.map((answer) => [answer?.id, answer]));
  return requests.map((request) => {
    const answer = isBatch ? byId.get(request.id) : answers[0];
    if (answer?.error) return { refusal: refusalOf(answer.error, request, requests, shown) };
    if (answer?.id === request.id && 'result' in answer) return { value: answer.result };
    throw new Error(`${request.method}: no result`);
  });
}

function refusalOf(
  error: RpcError,
  { method, params }: Request,
  { length: questions }: readonly Request[],
  shown: Reader['shown'],
): RpcRefusal {
  const blocks = openLogRange([method, params])?.blocks ?? 1;
  const kind = kindOf(error, { method, questions, blocks });
  const words = saidIn(error);
  const limit = limitIn(words, kind === 'batch' ? questions : blocks);
  const what = kind === 'history' ? 'it has no block or state so old any more: ' : '';
  return new RpcRefusal(`${method}: ${what}${shown(words)}`, kind, limit);
}
