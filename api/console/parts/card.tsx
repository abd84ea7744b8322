import type { ComponentChildren } from 'preact';

import { SORTED_MAX } from '../../../shared/kernel/paging.ts';
import { pathWith, type Query } from './lists/query.ts';
import { plural } from './text.tsx';

interface CardProps {
  /** Unique on its page: its heading is found by it. */
  id: string;
  title: string;
  /** Content to the right of the heading. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** One section of a page, under a heading. */
export const Card = ({ id, title, aside, children }: CardProps) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

/** The first lines of a page: its heading, and what it is for. */
export const Lead = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="lead">
    <h1>{title}</h1>
    {children}
  </div>
);

/** The text of an empty section: what will be here, and the one thing to do. */
export const Empty = ({ children }: { children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);

/** The text of a section whose operation was refused. */
export const Missing = () => (
  <p class="empty">This cannot be read at the moment. Load the page again.</p>
);

interface Column<T> {
  head: string;
  /** Values of `sort` in the query; the first one is what a click on the head asks for first. */
  sort?: readonly [first: Sort, second?: Sort];
  /** Aligned right, for numbers. */
  right?: boolean;
  /** Hidden on phones. */
  wide?: boolean;
  cell: (row: T) => ComponentChildren;
}

type Sort = readonly [value: string, direction: 'ascending' | 'descending'];

interface Sorted {
  readonly path: string;
  readonly query: Query;
  readonly by: string;
  /** Begins the query fields of this list, on a page of two lists. */
  readonly prefix?: string;
}

interface TableProps<T> {
  label: string;
  /** Present if the table can be sorted: its page, and the current order. */
  sorted?: Sorted | undefined;
  rows: readonly T[];
  columns: readonly Column<T>[];
}

const classOf = ({ right, wide }: { right?: boolean; wide?: boolean }) =>
  [right && 'right num', wide && 'wide'].filter(Boolean).join(' ') || undefined;

/** A table that scrolls sideways by itself if it is too wide. */
export const Table = <T,>({ label, rows, columns, sorted }: TableProps<T>) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={`${label}, a table`}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head {...column} sorted={sorted} isCurrent={column === sortedBy(columns, sorted)} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <td class={classOf(column)}>{column.cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The column by which the rows are sorted. A second click on others leads to its order too. */
function sortedBy<T>(columns: readonly Column<T>[], sorted: Sorted | undefined) {
  const isBy = (one: Sort | undefined) => one !== undefined && one[0] === sorted?.by;
  return columns.find(({ sort }) => isBy(sort?.[0])) ?? columns.find(({ sort }) => isBy(sort?.[1]));
}

interface HeadProps<T> extends Column<T>, Pick<TableProps<T>, 'sorted'> {
  isCurrent: boolean;
}

/** The head of a column: a link that sorts by it, where it can be sorted by. */
function Head<T>({ head, sort, sorted, isCurrent, ...column }: HeadProps<T>) {
  if (!sort || !sorted) {
    return (
      <th scope="col" class={classOf(column)}>
        {head}
      </th>
    );
  }
  const [first, second = first] = sort;
  const current = sort.find((one) => one?.[0] === sorted.by);
  const [to] = current === first ? second : first;
  const { path, query, prefix = '' } = sorted;
  const fields = { cursor: undefined, before: undefined, sort: to };
  const own = Object.entries(fields).map(([name, value]) => [prefix + name, value]);
  return (
    <th scope="col" class={classOf(column)} aria-sort={isCurrent ? current?.[1] : undefined}>
      <a class="sort" href={pathWith(path, { ...query, ...Object.fromEntries(own) })}>
        {head}
      </a>
    </th>
  );
}

/** Separates cursors, which have no such character. */
const BETWEEN = '~';
/** Maximum pages before this one that are kept in its address. */
const KEPT_MAX = 20;

/**
 * The queries of the pages around this one. Cursors lead forwards only, so the address has those of
 * the pages before in `before`. null: there is no such page.
 */
export function pagesAround(query: Query, cursor: string | null, as = 'cursor') {
  const name = as.replace('cursor', 'before');
  const before = query[name]?.split(BETWEEN).filter(Boolean) ?? [];
  const { [as]: current, ...rest } = query;
  const at = (to: string | undefined, kept: readonly string[]): Query => ({
    ...rest,
    [as]: to,
    [name]: kept.slice(-KEPT_MAX).join(BETWEEN),
  });
  return {
    previous: current ? at(before.at(-1), before.slice(0, -1)) : null,
    /** The page before is not known any more, so its link leads to the first one. */
    isFar: before.length === 0,
    next: cursor === null ? null : at(cursor, current ? [...before, current] : []),
  };
}

/** The links to the pages around this one, on `path` with the rest of its query, and the count. */
export function Pages({ path, of, query, as, what = 'row' }: PagesProps) {
  const { total_count: total, next_cursor: cursor } = of;
  const { previous, isFar, next } = pagesAround(query, cursor, as);
  if (!previous && !next && total === undefined) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${what}s`}>
      {previous && (
        <a class="link" rel="prev" href={pathWith(path, previous)}>
          {isFar ? 'First page' : 'Previous page'}
        </a>
      )}
      {total !== undefined && (
        <span class="small dim">
          {plural(total, what)}
          {total >= SORTED_MAX && ' or more'}
        </span>
      )}
      {next && (
        <a class="link" rel="next" href={pathWith(path, next)}>
          Next page
        </a>
      )}
    </nav>
  );
}

interface PagesProps {
  path: string;
  /** The list; without a total count its rows are not counted. */
  of: { readonly next_cursor: string | null; readonly total_count?: number | undefined };
  query: Query;
  /** The query field with the list's cursor; a page may have two lists. */
  as?: string;
  /** The name of a row. */
  what?: string;
}
