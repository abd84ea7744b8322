import { expect } from 'chai';

import { eventually, type TestPlatform } from '../../harness.ts';
import { child } from '../children.ts';
import { httpRequest, openLoadGenerator } from '../load_generator.ts';

/** Callers, each of which repeats its call when it is refused. */
export const CALLERS = 100;

export function repeating(at: { url: string }, { key }: { key: string }, paths: string[]) {
  let n = 0;
  const next = () => `GET ${paths[(n += 1) % paths.length]}`;
  return openLoadGenerator(at, () => httpRequest(next(), { key }));
}

/**
 * Ends an API while most of the calls of one agent wait to be refused at their pace. `policy` is
 * locked, so the one call with a permit is not answered. Answers how long it took until each of the
 * others had its answer or was disconnected, in ms.
 */
export async function endRefusals(
  platform: TestPlatform,
  flooder: { key: string },
): Promise<number> {
  const ending = await child(platform, 'api/main.ts', { CALLS_MAX: '1' });
  const headers = { authorization: `Bearer ${flooder.key}` };
  const statusOf = async (path: string) => (await fetch(ending.url + path, { headers })).status;
  // A call below may come first and have the only permit, and then this one is refused.
  void eventually(
    () => statusOf('/api/v1/wallet'),
    (status) => status !== 503,
  ).catch(() => undefined);
  await eventually(
    () => statusOf('/api/v1/orders/1'),
    (status) => status === 503,
  );
  const load = repeating(ending, flooder, ['/api/v1/orders/1', '/api/v1/orders/1/']);
  await load.open(6 * CALLERS);
  let told = 0;
  const calls = Array.from({ length: 6 * CALLERS }, () => load.closedLoop(1, 0));
  // A second after the first hundred: all others have been read by then, and wait.
  await new Promise<void>((resolve) => {
    for (const call of calls) void call.then(() => (told += 1) === 2 * CALLERS && resolve());
  });
  const [before, from] = [told, performance.now()];
  ending.kill('SIGTERM');
  const replies = (await Promise.all(calls)).flat();
  const ms = performance.now() - from;
  // One whose request was not read yet has no answer.
  const refused = replies.filter((reply) => reply?.status === 503);
  expect(refused.length).to.be.above(before);
  load.close();
  return ms;
}
