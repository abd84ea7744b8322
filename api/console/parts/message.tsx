import type { ComponentChildren } from 'preact';

import { useShown } from '../page_state.ts';
import { doneWords } from '../words/done_words.ts';
import { labelOf } from '../words/field_words.ts';

/** Keeps content that is shown once, while the page is redrawn, until the page is left. */
export const Once = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <div id={`once-${id}`} class="once">
    {children}
  </div>
);

/** The refusal, or the action that was just done: first on the page, and focused. */
export function Message() {
  const { refused, done, requestId } = useShown();
  if (refused) {
    const { operation } = refused;
    const fields = Object.entries(refused.fields);
    return (
      <div class="message owed" role="alert" tabIndex={-1} data-focus>
        {done && <p>{doneWords(done.operation)}</p>}
        <p>
          <strong>{refused.message}</strong>
        </p>
        {fields.length > 0 && (
          <ul>
            {fields.map(([name, problem]) => (
              <li>
                <a href={`#${operation}-${name}`}>{labelOf(operation, name)}</a>: {problem}
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
  return (
    <div class="message yours" role="status" tabIndex={-1} data-focus>
      <p>
        <strong>{doneWords(done.operation)}</strong>
      </p>
    </div>
  );
}
