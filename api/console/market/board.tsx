import type { ComponentChildren } from 'preact';
import { Lead } from '../parts/card.tsx';

/** Seconds for which anybody may keep a page of the market. */
export const KEPT_SECONDS = 15;

const BOARDS = [
  ['/market', 'Products'],
  ['/market/datasets', 'Datasets'],
  ['/market/tasks', 'Tasks'],
  ['/market/labor', 'Labor'],
] as const;

interface BoardProps {
  /** The path of the board that is shown. */
  current: (typeof BOARDS)[number][0];
  title: string;
  lead: ComponentChildren;
  children: ComponentChildren;
}

/** A page of the market that lists something, with links to the other lists. */
export const Board = ({ current, title, lead, children }: BoardProps) => (
  <div class="market">
    <nav class="tabs" aria-label="Market">
      {BOARDS.map(([path, label]) => (
        <a href={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
    <Lead title={title}>
      <p>{lead}</p>
    </Lead>
    {children}
  </div>
);

/** The way back from the page of one object to its list. */
export const Back = ({ path, children }: { path: string; children: ComponentChildren }) => (
  <nav class="back small" aria-label="Back">
    <a class="link" href={path}>
      {children}
    </a>
  </nav>
);
