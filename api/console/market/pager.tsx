import { useShown } from '../page_state.ts';
import { pathWith } from './asked.ts';

/** Separates cursors, which have no such character. */
const BETWEEN = '~';
/** Maximum pages before this one that are kept in its address. */
const KEPT_MAX = 8;

interface PagerProps {
  path: string;
  cursor: string | null;
  /** The rest of the query, which all pages have in common. */
  kept?: Readonly<Record<string, string | number | undefined>>;
}

/**
 * The links to the next page of a list and to the one before. Cursors lead forwards only, so the
 * address has those of the pages before in `from`.
 */
export function Pager({ path, cursor, kept = {} }: PagerProps) {
  const { query } = useShown();
  const before = query.from?.split(BETWEEN).filter(Boolean) ?? [];
  const isFirst = !query.cursor;
  if (isFirst && cursor === null) return null;
  const to = (next: string | undefined, from: readonly string[]) =>
    pathWith(path, { ...kept, cursor: next, from: from.slice(-KEPT_MAX).join(BETWEEN) });
  return (
    <nav class="pages" aria-label="Pages">
      {!isFirst && (
        <a class="button" rel="prev" href={to(before.at(-1), before.slice(0, -1))}>
          {before.length > 0 ? 'Previous page' : 'First page'}
        </a>
      )}
      {cursor !== null && (
        <a
          class="button"
          rel="next"
          href={to(cursor, query.cursor ? [...before, query.cursor] : [])}
        >
          Next page
        </a>
      )}
    </nav>
  );
}
