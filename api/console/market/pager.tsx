import { pagesAround } from '../parts/card.tsx';
import { useShown } from '../page_state.ts';
import { pathWith } from '../parts/lists/query.ts';

interface PagerProps {
  path: string;
  cursor: string | null;
  /** The rest of the query, which all pages have in common. */
  kept?: Readonly<Record<string, string | number | undefined>>;
}

/** The links to the next page of a list and to the one before. */
export function Pager({ path, cursor, kept = {} }: PagerProps) {
  const { query } = useShown();
  const shown = { cursor: query.cursor, before: query.before };
  const { previous, isFar, next } = pagesAround(shown, cursor);
  if (!previous && !next) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {previous && (
        <a class="button" rel="prev" href={pathWith(path, { ...kept, ...previous })}>
          {isFar ? 'First page' : 'Previous page'}
        </a>
      )}
      {next && (
        <a class="button" rel="next" href={pathWith(path, { ...kept, ...next })}>
          Next page
        </a>
      )}
    </nav>
  );
}
