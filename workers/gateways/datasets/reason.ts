import { Blocked } from '../../../shared/platform/egress/egress.ts';

/** What a seller can mend; never what a name resolves to. */
export function reasonOf(error: unknown): string {
  if (error instanceof Blocked) return `${error.message}.`;
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError') return 'It did not answer in time.';
  return `It cannot be reached: ${(code ?? message).slice(0, 200)}.`;
}
