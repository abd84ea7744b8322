import { openLogRange } from './log_range.ts';
import { openProfile, type Profile } from './profile.ts';
import type { Question } from './question.ts';
import { shownHost } from './redact.ts';
import { RpcRefusal } from './refusal.ts';
import { openSender, type Said, type Sender } from './sender.ts';

/** One provider of a chain. Its URL may hold a key, so no message repeats it. */
export interface JsonRpc {
  /** Throws RpcRefusal for an error in the answer, and another error without an answer. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T>;
  /**
   * Asks several questions, in as few requests as the provider takes; answers in their order.
   * Throws if one is refused.
   */
  askAll(questions: readonly Question[]): Promise<readonly unknown[]>;
  /** Its limits. */
  readonly profile: Profile;
}

interface Options {
  /** Time from a question to the end of its answer. */
  readonly answerMsMax?: number | undefined;
  /** Headers of each request. No message repeats them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shared by all that ask this provider. */
  readonly profile?: Profile;
}

const ANSWER_MS_MAX = 10_000;
/** Requests at once to a provider that takes no batches. */
const AT_ONCE = 4;

export function openJsonRpc(url: string, options: Options = {}): JsonRpc {
  const { answerMsMax = ANSWER_MS_MAX, headers = {} } = options;
  const profile = options.profile ?? openProfile(shownHost(url));
  const send = openSender({ url, answerMsMax, headers }, profile);
  const askAll = (questions: readonly Question[]) => answersTo({ send, profile }, questions);
  return {
    profile,
    askAll,
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      return (await askAll([[method, params]]))[0] as T;
    },
  };
}

interface Provider {
  readonly send: Sender;
  readonly profile: Profile;
}

/**
 * A question about logs of more blocks than the provider takes is asked in several, and again in
 * smaller ones where it is refused.
 */
async function answersTo(
  provider: Provider,
  questions: readonly Question[],
): Promise<readonly unknown[]> {
  const { logBlocks } = provider.profile;
  const asked = questions.map((question): Asked => {
    const range = openLogRange(question);
    return { range, pieces: range?.split(logBlocks.value) ?? [question] };
  });
  const said = await inBatches(
    provider,
    asked.flatMap(({ pieces }) => pieces),
  );
  const answers: unknown[] = [];
  let at = 0;
  for (const { range, pieces } of asked) {
    const found: unknown[] = [];
    for (const piece of pieces) found.push(await logsOf(provider, piece, said[at++]!));
    answers.push(range ? found.flat() : found[0]);
  }
  return answers;
}

interface Asked {
  readonly range: ReturnType<typeof openLogRange>;
  readonly pieces: readonly Question[];
}

/** The answer to a piece; a range that is refused is asked again in smaller ones. */
async function logsOf(provider: Provider, piece: Question, said: Said): Promise<unknown> {
  const { logBlocks } = provider.profile;
  const blocks = openLogRange(piece)?.blocks;
  if ('refusal' in said) {
    const { refusal } = said;
    if (refusal.kind !== 'range' || blocks === undefined || blocks === 1) throw refusal;
    logBlocks.refused(blocks, refusal.limit);
    return (await answersTo(provider, [piece]))[0];
  }
  if (blocks === undefined) return said.value;
  if (!Array.isArray(said.value)) throw new Error('eth_getLogs: no list of logs');
  logBlocks.answered(blocks);
  return said.value;
}

/** In requests of as many questions as the provider takes, one after the other. */
async function inBatches(
  { send, profile: { batch } }: Provider,
  questions: readonly Question[],
): Promise<readonly Said[]> {
  const answers: Said[] = [];
  while (answers.length < questions.length) {
    const rest = questions.slice(answers.length);
    if (batch.value === 1) {
      const single = rest.slice(0, AT_ONCE).map((question) => send([question]));
      answers.push(...(await Promise.all(single)).flat());
      batch.answered(1);
      continue;
    }
    const group = rest.slice(0, batch.value);
    const said = await send(group);
    const refusal = said.flatMap((one) => ('refusal' in one ? one.refusal : [])).find(isOfBatch);
    if (refusal && group.length > 1) batch.refused(group.length, refusal.limit);
    else {
      batch.answered(group.length);
      answers.push(...said);
    }
  }
  return answers;
}

const isOfBatch = ({ kind }: RpcRefusal): boolean => kind === 'batch';
