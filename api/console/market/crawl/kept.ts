import type { HttpContext } from '../../../http/routes.ts';

/** Time for which what takes many reads is kept. */
export const KEPT_MS = 600_000;

/** Makes something at the first request, and again when it is too old. */
export function kept<T>(make: (ctx: HttpContext) => Promise<T>): (ctx: HttpContext) => Promise<T> {
  let last: { readonly made: Promise<T>; readonly until: number } | undefined;
  return (ctx) => {
    if (last && performance.now() < last.until) return last.made;
    const one = { made: make(ctx), until: performance.now() + KEPT_MS };
    one.made.catch(() => last === one && (last = undefined)); // One that failed is not kept.
    last = one;
    return one.made;
  };
}
