import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';

import { useShown, type Given } from '../shown.ts';
import { textsOf } from './fields.tsx';

/** What is asked once more before it is done: what it will do, line by line. */
export interface Confirm {
  readonly title: string;
  readonly lines: readonly string[];
}

interface DoProps {
  /** One of those that the page `does`. */
  op: string;
  /** What is known of its input. */
  input?: Readonly<Record<string, unknown>>;
  /** Of the button: what it does, with the amount. */
  label: string;
  /** The one black button of its group. */
  main?: boolean;
  /** Of money above the setting, and of what cannot be undone. */
  confirm?: Confirm | undefined;
  /** Where to go afterwards. `:name` is a field of the answer. Otherwise the same page. */
  next?: string;
  /** What its person fills in. */
  children?: ComponentChildren;
}

/**
 * A form that changes something by an operation. Its hidden key is the Idempotency-Key: a double
 * click, the way back and sending it again have one effect.
 */
export function Do({ op, input = {}, label, main, confirm, next, children }: DoProps) {
  const { page, url, refused } = useShown();
  if (!page.does.includes(op)) throw new Error(`${page.path} does not say that it does ${op}`);
  const hidden = Object.entries(input).flatMap(([name, value]) =>
    textsOf(value).map((text) => [name, text] as const),
  );
  // What failed on our side may have happened: the same key again tells.
  const isRepeat = refused?.operation === op && refused.isUnknown && has(refused.given, hidden);
  const key = (isRepeat && refused.given._key?.[0]) || randomUUID();
  const name = `do-${key}`;
  const button = `button${main ? ' main' : ''}`;
  return (
    <form
      method="post"
      action={`${{ public: '', owner: '/console', operator: '/admin' }[page.access]}/do/${op}`}
      class={children ? 'form' : 'inline'}
    >
      <input type="hidden" name="_key" value={key} />
      <input type="hidden" name="_back" value={url} />
      {next && <input type="hidden" name="_next" value={next} />}
      {hidden.map(([field, text]) => (
        <input type="hidden" name={field} value={text} />
      ))}
      {children}
      {confirm ? (
        <>
          {/* Where a browser does not know this, a script has the form ask on a page (ask.ts). */}
          <button
            type="button"
            class={button}
            data-ask={label}
            {...{ commandfor: name, command: 'show-modal' }}
          >
            {label}
          </button>
          <dialog id={name} aria-labelledby={`${name}-title`}>
            <h2 id={`${name}-title`}>{confirm.title}</h2>
            <ul class="lines">
              {confirm.lines.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
            <p class="buttons">
              <button type="submit" class="button main">
                {label}
              </button>
              <button type="button" class="button" {...{ commandfor: name, command: 'close' }}>
                Back
              </button>
            </p>
          </dialog>
        </>
      ) : (
        <button class={button}>{label}</button>
      )}
    </form>
  );
}

const has = (given: Given, hidden: readonly (readonly [string, string])[]) =>
  hidden.every(([name, text]) => given[name]?.includes(text));
