import type { ComponentChildren } from 'preact';

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
  /** Aligned right, for numbers. */
  right?: boolean;
  /** Hidden on phones. */
  wide?: boolean;
  cell: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
}

const classOf = ({ right, wide }: { right?: boolean; wide?: boolean }) =>
  [right && 'right num', wide && 'wide'].filter(Boolean).join(' ') || undefined;

/** A table that scrolls sideways by itself if it is too wide. */
export const Table = <T,>({ label, rows, columns }: TableProps<T>) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={`${label}, a table`}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={classOf(column)}>
              {column.head}
            </th>
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

/** The link to the next page of a list, on `path` with the rest of its query. */
export function Older({ path, cursor, query = {}, as = 'cursor' }: OlderProps) {
  if (cursor === null) return null;
  const kept = Object.entries(query).filter(([name, value]) => value && name !== as);
  const next = new URLSearchParams([...(kept as [string, string][]), [as, cursor]]);
  return (
    <p class="pager">
      <a class="link" href={`${path}?${next.toString()}`}>
        Older
      </a>
    </p>
  );
}

interface OlderProps {
  path: string;
  cursor: string | null;
  query?: Readonly<Record<string, string | undefined>>;
  /** The query field with the list's cursor; a page may have two lists. */
  as?: string;
}
