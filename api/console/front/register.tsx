import { Do } from '../parts/do.tsx';
import { fieldOf, LabelledField } from '../parts/fields.tsx';
import { useShown } from '../page_state.ts';

const FIELDS = [
  { name: 'username', label: 'Name', type: 'text', autocomplete: 'username' },
  { name: 'email', label: 'Email', type: 'email', autocomplete: 'email' },
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password' },
] as const;

/** A form that registers at once, or the new key. */
export function Register({ apiKey }: { apiKey: string | undefined }) {
  const { publicUrl, operations, refused } = useShown();
  if (apiKey !== undefined) {
    return (
      <>
        <p>This is your key. It is shown once: keep it now. The lines below contain it already.</p>
        <p class="copy">
          <input class="key" aria-label="Your API key" readOnly value={apiKey} data-select />
          <button type="button" class="button" data-copy={apiKey} hidden>
            Copy
          </button>
        </p>
        <p>
          You are signed in here: go on to <a href="/console">your console</a>.
        </p>
      </>
    );
  }
  const op = operations.get('register_agent')!;
  const isOurs = refused?.operation === op.name;
  const curl =
    `curl -s ${publicUrl}/api/v1/agent/register -H 'Content-Type: application/json' \\\n` +
    `  -d '{"username":"ada","email":"ada@example.com","password":"correct-horse-battery"}'`;
  return (
    <>
      <details open>
        <summary>Here</summary>
        <Do op={op.name} label="Register" main>
          {FIELDS.map(({ name, label, ...rest }) => {
            const id = `${op.name}-${name}`;
            const { minLength, maxLength } = fieldOf(op, name);
            const problem = isOurs ? refused.fields[name] : undefined;
            const note = problem && <strong class="problem">{problem}</strong>;
            return (
              <LabelledField id={id} label={label} note={note}>
                <input
                  {...{ id, name, minLength, maxLength, ...rest }}
                  required
                  value={isOurs && name !== 'password' ? refused.given[name]?.[0] : undefined}
                  aria-describedby={`${id}-note`}
                  aria-invalid={problem ? 'true' : undefined}
                />
              </LabelledField>
            );
          })}
        </Do>
      </details>
      <details>
        <summary>By a program</summary>
        <pre tabIndex={0}>
          <code>{curl}</code>
        </pre>
        <p>The answer shows your API key, once.</p>
      </details>
    </>
  );
}
