import { randomUUID } from 'node:crypto';

import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import { textAt } from './text_at.ts';
import { textThrough, type Target } from './text_through.ts';

const ANSWER_CHARS_MAX = 2_000;

/** An answer in the judge's name. Without address and proof, it is not the judge's. */
export interface JudgeAnswer {
  /** The nonce of our request. */
  readonly nonce: string;
  readonly address?: string;
  readonly proof?: string;
  readonly seen?: string;
}

/** Asks a judge, through a proxy if one is given. Undefined: the status was not 200. */
export async function askJudge(
  judge: Target,
  { proxy, timeoutMs }: { proxy?: HostPort; timeoutMs: number },
): Promise<JudgeAnswer | undefined> {
  const nonce = randomUUID();
  const query = `?nonce=${nonce}`;
  const limits = { timeoutMs, charsMax: ANSWER_CHARS_MAX };
  const text = proxy
    ? await textThrough(proxy, { target: judge, query }, limits)
    : await textAt(judge.url + query, limits);
  return text === undefined ? undefined : { nonce, ...fieldsOf(text) };
}

/** The judge's fields; empty: the text is something else. */
function fieldsOf(text: string): Omit<JudgeAnswer, 'nonce'> {
  try {
    const { address, proof, seen = '' } = JSON.parse(text) as Record<string, unknown>;
    const isJudge = [address, proof, seen].every((field) => typeof field === 'string');
    return isJudge ? ({ address, proof, seen } as Omit<JudgeAnswer, 'nonce'>) : {};
  } catch {
    return {};
  }
}
