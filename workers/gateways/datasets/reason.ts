import { BlockedTarget } from '../../../shared/platform/egress/egress.ts';

/** A reason that the seller can act on; it never says what a name resolves to. */
export function reasonOf(error: unknown): string {
  if (error instanceof BlockedTarget) return `${error.message}.`;
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') return 'It did not answer in time.';
  return `It cannot be reached: ${(code ?? message).slice(0, 200)}.`;
}
