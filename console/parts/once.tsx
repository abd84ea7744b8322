import type { ComponentChildren } from 'preact';

/**
 * What a page shows once, if anything: while the page changes in place it stays, until its person
 * leaves the page.
 */
export const Once = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <div id={`once-${id}`} class="once">
    {children}
  </div>
);
