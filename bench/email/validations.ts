import { anyOf } from '../measure/callers.ts';
import { measureLoops } from '../measure/loops.ts';
import type { Platform } from '../setup/platform.ts';

/** Several trees of agents, because one alone may not have all look-ups in flight. */
const CALLERS = 8;
const ADDRESSES = 250;

/**
 * Validations of addresses by the platform, many in a call: by HTTP, as jobs, and charged for. Each
 * caller finishes its last call, because a call lasts as long as a slice.
 */
export function validations(
  { port, pids, population: { buyers } }: Platform,
  { ms, nextAddress }: { ms: number; nextAddress: () => string },
) {
  async function validate(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/email/validate`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${anyOf(buyers).key}`,
        'content-type': 'application/json',
        prefer: 'wait=25',
      },
      body: JSON.stringify({ emails: Array.from({ length: ADDRESSES }, nextAddress) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`an answer is ${answer.status}:\n${text}`);
    const { answered } = JSON.parse(text) as { answered: number };
    if (answered !== ADDRESSES) throw new Error(`${answered} of ${ADDRESSES} have an answer`);
    return ADDRESSES;
  }
  return () => measureLoops({ loops: CALLERS, ms, pids }, validate);
}
