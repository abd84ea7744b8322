import { encodeJSON, encodeMsgpack, type Encodable } from 'algosdk';

import { Rejected } from '../ledger/rejected.ts';

/** A request. */
export interface Question {
  readonly method: string;
  /** Path without the prefix of the indexer. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly type: 'application/json' | 'application/msgpack';
  readonly body: string | Uint8Array;
}

/** A path, and its handler. The groups of the path are the arguments after the question. */
export type Route = readonly [
  method: 'GET' | 'POST',
  path: RegExp,
  answer: (question: Question, ...groups: string[]) => Answer | Promise<Answer>,
];

export const asText = (body: string): Answer => ({ status: 200, type: 'application/json', body });

/** The SDK encodes its own models, so it reads exactly that. */
export const asJson = (model: Encodable): Answer => asText(encodeJSON(model));

export const asMsgpack = (model: Encodable): Answer => ({
  status: 200,
  type: 'application/msgpack',
  body: encodeMsgpack(model),
});

/** The answer of the first matching route. */
export async function answerBy(routes: readonly Route[], question: Question): Promise<Answer> {
  try {
    for (const [method, path, answer] of routes) {
      const match = method === question.method ? path.exec(question.path) : null;
      if (match) return await answer(question, ...match.slice(1));
    }
    throw new Rejected(`not found: ${question.method} ${question.path}`, 404);
  } catch (error) {
    const status = error instanceof Rejected ? error.status : 500;
    const body = JSON.stringify({ message: (error as Error).message });
    return { status, type: 'application/json', body };
  }
}
