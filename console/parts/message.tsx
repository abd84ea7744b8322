import type { ComponentChildren } from 'preact';

import { useShown } from '../shown.ts';

/** Keeps what a page shows once, if anything, while it changes in place, until it is left. */
export const Once = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <div id={`once-${id}`} class="once">
    {children}
  </div>
);

/** What was refused, or what was done just now: the first thing on the page, and focused. */
export function Message() {
  const { refused, done, operations, requestId } = useShown();
  if (refused) {
    const fields = Object.entries(refused.fields);
    return (
      <div class="message owed" role="alert" tabIndex={-1} data-focus>
        <p>
          <strong>{refused.message}</strong>
        </p>
        {fields.length > 0 && (
          <ul>
            {fields.map(([name, problem]) => (
              <li>
                <a href={`#${refused.operation}-${name}`}>{name.replaceAll('_', ' ')}</a> {problem}
              </li>
            ))}
          </ul>
        )}
        {refused.links.length > 0 && (
          <p>
            {refused.links.map(({ href, label }) => (
              <a class="button" href={href}>
                {label}
              </a>
            ))}
          </p>
        )}
        <p class="small dim">
          {refused.code}, request <code>{requestId}</code>
        </p>
      </div>
    );
  }
  if (!done) return null;
  const title = operations.get(done.operation)?.title;
  return (
    <div class="message yours" role="status" tabIndex={-1} data-focus>
      <p>
        <strong>Done{title ? `: ${title.toLowerCase()}` : ''}.</strong>
      </p>
    </div>
  );
}
