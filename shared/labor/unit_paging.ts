import { invalid } from '../kernel/schema.ts';

/** The unit after which a page begins. Cursors are opaque and hold its number. */
export function afterOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const after = Buffer.from(cursor, 'base64url').toString();
  if (/^\d{1,6}$/.test(after)) return Number(after);
  throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
}

export const cursorAfter = (n: number): string => Buffer.from(String(n)).toString('base64url');
