import { LabelledField } from '../parts/fields.tsx';
import { useShown } from '../page_state.ts';
import { fieldWords } from '../words/field_words.ts';

interface TypedFieldProps {
  /** The form, as its refusals and its words name it. */
  of: string;
  name: string;
  /** Absent: as its words say. */
  label?: string;
  value?: string;
  type?: 'text' | 'email' | 'password';
  maxLength: number;
  inputMode?: 'numeric' | 'decimal';
  placeholder?: string;
  pattern?: string;
  title?: string;
  autocomplete?:
    'off' | 'email' | 'username' | 'one-time-code' | 'current-password' | 'new-password';
}

/**
 * A field to type into, of a form that no operation is behind. A refusal of it stands below it, and
 * the typed text stays, unless it is a secret.
 */
export function TypedField({ of, name, label, value, type = 'text', ...rest }: TypedFieldProps) {
  const { refused } = useShown();
  const isOurs = refused?.operation === of;
  const problem = isOurs ? refused.fields[name] : undefined;
  const words = fieldWords(of, name);
  const id = `${of}-${name}`;
  return (
    <LabelledField
      id={id}
      label={label ?? words.label}
      note={
        <>
          {words.note && <span class="note">{words.note}</span>}
          {problem && <strong class="problem">{problem}</strong>}
        </>
      }
    >
      <input
        id={id}
        name={name}
        // The types of attributes have one alternative for each kind of field.
        type={type as 'text'}
        required
        value={(isOurs ? refused.given[name]?.at(-1) : undefined) ?? value}
        aria-describedby={`${id}-note`}
        {...(problem && { 'aria-invalid': 'true' as const })}
        {...rest}
      />
    </LabelledField>
  );
}
