import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';

import { useShown, type FormFields } from '../page_state.ts';
import { textsOf } from '../words/texts.ts';

/** The question before an action: its effects, line by line. */
export interface Confirm {
  readonly title: string;
  readonly lines: readonly string[];
}

interface PostFormProps {
  action: string;
  class: 'form' | 'inline' | 'message owed';
  enctype?: 'multipart/form-data';
  children: ComponentChildren;
}

/** A form that names the account it is filled in under: no other one sends it by mistake. */
export function PostForm({ children, ...form }: PostFormProps) {
  const { person } = useShown();
  return (
    <form method="post" {...form}>
      {person && <input type="hidden" name="_account" value={person.name} />}
      {children}
    </form>
  );
}

interface DoProps {
  /** An operation that the page `does`. */
  op: string;
  /** The known fields of its input. */
  input?: Readonly<Record<string, unknown>>;
  /** Label of the button: the action, with the amount. */
  label: string;
  /** True for the one black button of its group. */
  main?: boolean;
  /** Present for amounts above the setting, and for actions that cannot be undone. */
  confirm?: Confirm | undefined;
  /** Path to go to afterwards. `:name` is a field of the answer. Absent: the same page. */
  next?: string;
  /** An operation of FOLLOWING (do_route.ts) that follows at once. Its refusal is shown. */
  afterwards?: { readonly op: string; readonly input: Readonly<Record<string, unknown>> };
  /** Fields for the person to fill in. */
  children?: ComponentChildren;
}

/**
 * A form that changes something by an operation. Its hidden key is the Idempotency-Key: a double
 * click, the back button and sending it again have one effect.
 */
export function Do({ op, input = {}, label, main, confirm, next, afterwards, children }: DoProps) {
  const { page, url, refused } = useShown();
  if (!page.does.includes(op)) throw new Error(`${page.path} does not say that it does ${op}`);
  const hidden = textsIn(input);
  // A call that failed on our side may have had its effect: the same key repeats its answer.
  const isRepeat = refused?.operation === op && refused.isUnknown && has(refused.given, hidden);
  const key = (isRepeat && refused.given._key?.[0]) || randomUUID();
  const name = `do-${key}`;
  const button = `button${main ? ' main' : ''}`;
  return (
    <PostForm
      action={`${{ public: '', owner: '/console', operator: '/admin' }[page.access]}/do/${op}`}
      class={children ? 'form' : 'inline'}
    >
      <input type="hidden" name="_key" value={key} />
      <input type="hidden" name="_back" value={url} />
      {next && <input type="hidden" name="_next" value={next} />}
      {afterwards && <input type="hidden" name="_then" value={afterwards.op} />}
      {[...hidden, ...textsIn(afterwards?.input ?? {}, '_then.')].map(([field, text]) => (
        <input type="hidden" name={field} value={text} />
      ))}
      {children}
      {confirm ? (
        <>
          {/* In browsers without this attribute, a script asks on a page of its own (ask.ts). */}
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
    </PostForm>
  );
}

const textsIn = (input: Readonly<Record<string, unknown>>, prefix = '') =>
  Object.entries(input).flatMap(([name, value]) =>
    textsOf(value).map((text) => [prefix + name, text] as const),
  );

const has = (given: FormFields, hidden: readonly (readonly [string, string])[]) =>
  hidden.every(([name, text]) => given[name]?.includes(text));
