import type { CheckFault } from '../../../shared/domains/datasets/gateway.ts';
import { BlockedTarget } from '../../../shared/platform/egress/egress.ts';

/** A reason that the seller can act on; it never says what a name resolves to. */
export function faultOf(error: unknown): CheckFault {
  if (error instanceof BlockedTarget) return { fault: `${error.message}.`, cause: 'address' };
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') {
    return { fault: 'It did not answer in time.', cause: 'late' };
  }
  const said = (code ?? message).slice(0, 200);
  return { fault: `It cannot be reached: ${said}.`, cause: 'unreachable' };
}
