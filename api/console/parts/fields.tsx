import type { ComponentChildren } from 'preact';

import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { useShown } from '../page_state.ts';
import { fieldWords } from '../words/field_words.ts';
import { Choices, labelled, listOf, tickedOf, type Choice } from './choices.tsx';
import { amountOf, isAmount, textsOf } from '../words/texts.ts';

/** The keywords of a schema that a form shows. */
interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly anyOf?: readonly FieldSchema[];
  readonly const?: unknown;
}

/** The schema without the alternative null, for which an empty field stands. */
export function kindOf(field: FieldSchema): FieldSchema {
  return field.anyOf?.find(({ type }) => type !== 'null') ?? field;
}

/** The schema of one field of an operation's input. */
export function fieldOf(op: AnyOperation, name: string): FieldSchema {
  const field = op.input.properties[name] as FieldSchema | undefined;
  if (!field) throw new Error(`${op.name} has no field ${name}`);
  return field;
}

interface FieldsProps {
  op: string;
  /** Fields to show, in this order. Absent: all. */
  only?: readonly string[];
  /** Fields that this form needs, though its operation does not. */
  needs?: readonly string[];
  /** Initial values. */
  values?: Readonly<Record<string, unknown>>;
  /** The object of the form, where a page has such a form for each of several. */
  about?: Readonly<Record<string, number>>;
  /** Notes that fit this form better than those of `field_words.ts`. */
  notes?: Readonly<Record<string, string>>;
  /** Choices, where the schema does not close a list or allows more than fit here. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
}

/** The fields of an operation: bounds from its schema, words from `field_words.ts`. */
export function Fields({
  op: name,
  only,
  needs = [],
  values = {},
  about,
  notes = {},
  choices = {},
}: FieldsProps) {
  const op = useShown().operations.get(name)!;
  const required = new Set([...((op.input.required as string[] | undefined) ?? []), ...needs]);
  const names = only ?? Object.keys(op.input.properties);
  // If no field is required, none is marked as optional.
  const tellsOptional = names.some((field) => required.has(field));
  return (
    <>
      {names.map((field) => {
        const words = fieldWords(name, field);
        return (
          <Field
            op={name}
            name={field}
            schema={kindOf(fieldOf(op, field))}
            label={words.label}
            note={notes[field] ?? words.note}
            value={values[field]}
            about={about}
            isLong={words.isLong ?? false}
            choices={choices[field] ?? (words.choices && Object.entries(words.choices))}
            isRequired={required.has(field)}
            tellsOptional={tellsOptional}
          />
        );
      })}
    </>
  );
}

interface FieldProps {
  op: string;
  name: string;
  schema: FieldSchema;
  label: string;
  note: string | undefined;
  value: unknown;
  about: FieldsProps['about'];
  isLong: boolean;
  choices: readonly Choice[] | undefined;
  isRequired: boolean;
  tellsOptional: boolean;
}

function Field(props: FieldProps) {
  const { op, name, schema, label, value, about, isLong, choices } = props;
  const { isRequired, tellsOptional } = props;
  const { refused } = useShown();
  const objects = Object.entries(about ?? {});
  const isOurs =
    refused?.operation === op &&
    objects.every(([key, object]) => refused.given[key]?.includes(String(object)));
  const given = isOurs ? refused.given[name] : undefined;
  const problem = isOurs ? refused.fields[name] : undefined;
  // The message of a refusal leads to the field of its form.
  const id = [op, ...(isOurs ? [] : objects.map(([, object]) => object)), name].join('-');
  const shown = isAmount(schema) && typeof value === 'number' ? amountOf(value) : value;
  const texts = given ?? textsOf(shown);
  const noteId = `${id}-note`;
  const described = {
    id,
    name,
    'aria-describedby': noteId,
    ...(problem && { 'aria-invalid': 'true' as const }),
  };
  const Note = () => (
    <>
      {props.note && <span class="note">{props.note}</span>}
      {problem && <strong class="problem">{problem}</strong>}
    </>
  );
  if (schema.type === 'boolean') {
    return (
      <p class="field check">
        {/* An unchecked box sends nothing; then this value is sent. */}
        <input type="hidden" name={name} value="false" />
        <input type="checkbox" value="true" checked={texts.at(-1) === 'true'} {...described} />
        <label for={id}>{label}</label>
        <span id={noteId}>
          <Note />
        </span>
      </p>
    );
  }
  const list = listOf({ name: op }, name);
  const ofArray = choices ?? (schema.items && kindOf(schema.items).enum);
  const ticks = list ?? (schema.type === 'array' ? ofArray : undefined);
  if (ticks) {
    return (
      <Choices
        {...{ id, name, label, choices: ticks, noteId, note: <Note /> }}
        ticked={list ? tickedOf(list, texts) : texts}
        isAlwaysSent={list !== undefined}
      />
    );
  }
  return (
    <LabelledField
      id={id}
      label={isRequired || !tellsOptional ? label : `${label} (optional)`}
      note={<Note />}
    >
      {inputFor({ schema, described, texts, isLong, isRequired, choices })}
    </LabelledField>
  );
}

function inputFor({ schema, described, texts, isLong, isRequired, choices }: InputFor) {
  const text = texts[0];
  const options = choices ?? schema.enum;
  if (schema.enum && options) {
    // Single keys select it; leaving it as it stands decides nothing.
    const isDecision = ['verdict', 'decision'].includes(described.name);
    return (
      <select {...described} required={isRequired} data-choice={isDecision ? '' : undefined}>
        {!isRequired && <option value="">not set</option>}
        {isRequired && isDecision && <option value="">choose</option>}
        {options.map((choice) => {
          const [value, label] = labelled(choice);
          return (
            <option value={value} selected={value === text}>
              {label}
            </option>
          );
        })}
      </select>
    );
  }
  const isList = schema.type === 'array';
  // An empty list is a field without a line.
  const isNeverEmpty = (schema.minItems ?? 0) > 0;
  const bounds = { required: isRequired, minLength: schema.minLength, maxLength: schema.maxLength };
  if (isLong || isList || schema.type === 'object') {
    return (
      <>
        <textarea
          {...described}
          {...(isList ? { required: isRequired && isNeverEmpty, 'data-lines': '' } : bounds)}
          rows={4}
        >
          {texts.join('\n')}
        </textarea>
        {isList && <span id={`${described.id}-lines`} class="small" role="status" />}
      </>
    );
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <input
        {...described}
        inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
        required={isRequired}
        value={text}
      />
    );
  }
  // A day, which `inputOf` turns into a time: nobody writes times by hand.
  if (schema.format === 'date-time') {
    return <input {...described} type="date" required={isRequired} value={text} />;
  }
  return <input {...described} {...bounds} value={text} />;
}

interface InputFor {
  schema: FieldSchema;
  described: { readonly id: string; readonly name: string };
  texts: readonly string[];
  isLong: boolean;
  isRequired: boolean;
  choices: readonly Choice[] | undefined;
}

interface LabelledProps {
  id: string;
  label: string;
  note?: ComponentChildren;
  children: ComponentChildren;
}

/** A field with its label above it. */
export const LabelledField = ({ id, label, note, children }: LabelledProps) => (
  <p class="field">
    <label for={id}>{label}</label>
    {children}
    <span id={`${id}-note`}>{note}</span>
  </p>
);
