import type { ComponentChildren } from 'preact';

import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { useShown } from '../shown.ts';
import { Choices, listOf, tickedOf, type Choice } from './choices.tsx';
import { wordsOf } from './text.tsx';

/** Of a schema, what a form says of a field. */
export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly const?: unknown;
}

/** Without the alternative null, which an empty field stands for. */
export function kindOf(field: FieldSchema): FieldSchema {
  const some = field.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (some.length === 0) return field;
  const { description = some[0]!.description } = field;
  return { ...some[0]!, ...(description !== undefined && { description }) };
}

/** The schema of one field of an operation's input. */
export function fieldOf(op: AnyOperation, name: string): FieldSchema {
  const field = op.input.properties[name] as FieldSchema | undefined;
  if (!field) throw new Error(`${op.name} has no field ${name}`);
  return field;
}

interface FieldsProps {
  op: string;
  /** These, in this order; otherwise all of its input. */
  only?: readonly string[];
  /** What stands in them. */
  values?: Readonly<Record<string, unknown>>;
  labels?: Readonly<Record<string, string>>;
  /** For people, where the schema's description is written for programs. */
  notes?: Readonly<Record<string, string>>;
  /** Texts of several lines. */
  long?: readonly string[];
  /** Of lists whose schema does not close them: what can be ticked. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
}

/** Fields of an operation, drawn from its schema: description, bounds, choices. */
export function Fields({
  op: name,
  only,
  values = {},
  labels = {},
  notes = {},
  long = [],
  choices = {},
}: FieldsProps) {
  const op = useShown().operations.get(name)!;
  const required = new Set(op.input.required as string[] | undefined);
  const names = only ?? Object.keys(op.input.properties);
  // Where nothing has to be filled in, it is not said of each.
  const tellsOptional = names.some((field) => required.has(field));
  return (
    <>
      {names.map((field) => (
        <Field
          op={name}
          name={field}
          schema={withNote(kindOf(fieldOf(op, field)), notes[field])}
          label={labels[field] ?? wordsOf(field)}
          value={values[field]}
          isLong={long.includes(field)}
          choices={choices[field]}
          isRequired={required.has(field)}
          tellsOptional={tellsOptional}
        />
      ))}
    </>
  );
}

const withNote = (schema: FieldSchema, description: string | undefined): FieldSchema =>
  description === undefined ? schema : { ...schema, description };

interface FieldProps {
  op: string;
  name: string;
  schema: FieldSchema;
  label: string;
  value: unknown;
  isLong: boolean;
  choices: readonly Choice[] | undefined;
  isRequired: boolean;
  tellsOptional: boolean;
}

function Field(props: FieldProps) {
  const { op, name, schema, label, value, isLong, choices, isRequired, tellsOptional } = props;
  const { refused } = useShown();
  const isOurs = refused?.operation === op;
  const given = isOurs ? refused.given[name] : undefined;
  const problem = isOurs ? refused.fields[name] : undefined;
  const id = `${op}-${name}`;
  const texts = given ?? textsOf(value);
  const note = `${id}-note`;
  const described = {
    id,
    name,
    'aria-describedby': note,
    ...(problem && { 'aria-invalid': 'true' as const }),
  };
  const Note = () => (
    <>
      {schema.description && <span class="note">{schema.description}</span>}
      {problem && (
        <strong class="problem">
          {label} {problem}.
        </strong>
      )}
    </>
  );
  if (schema.type === 'boolean') {
    return (
      <p class="field check">
        {/* What is not checked is not sent: this is sent then. */}
        <input type="hidden" name={name} value="false" />
        <input type="checkbox" value="true" checked={texts.at(-1) === 'true'} {...described} />
        <label for={id}>{label}</label>
        <span id={note}>
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
        {...{ name, label, choices: ticks, noteId: note, note: <Note /> }}
        ticked={list ? tickedOf(list, texts) : texts}
        isAlwaysSent={list !== undefined}
      />
    );
  }
  return (
    <Labelled
      id={id}
      label={isRequired || !tellsOptional ? label : `${label} (optional)`}
      note={<Note />}
    >
      {inputFor({ schema, described, texts, isLong, isRequired })}
    </Labelled>
  );
}

function inputFor({ schema, described, texts, isLong, isRequired }: InputFor) {
  const text = texts[0];
  if (schema.enum) {
    return (
      <select {...described} required={isRequired} data-choice={isChoice(described.name)}>
        {!isRequired && <option value="">not set</option>}
        {schema.enum.map((choice) => (
          <option value={choice} selected={choice === text}>
            {choice.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    );
  }
  const isList = schema.type === 'array';
  const bounds = { required: isRequired, minLength: schema.minLength, maxLength: schema.maxLength };
  if (isLong || isList || schema.type === 'object') {
    return (
      <>
        <textarea
          {...described}
          {...(isList ? { required: isRequired, 'data-lines': '' } : bounds)}
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
  // A day, of which `inputOf` makes a time: nobody writes one by hand.
  if (schema.format === 'date-time') {
    return <input {...described} type="date" required={isRequired} value={text} />;
  }
  return <input {...described} {...bounds} value={text} />;
}

/** What a decision chooses: single keys choose it too. */
const isChoice = (name: string) => (name === 'verdict' || name === 'decision' ? '' : undefined);

interface InputFor {
  schema: FieldSchema;
  described: { readonly id: string; readonly name: string };
  texts: readonly string[];
  isLong: boolean;
  isRequired: boolean;
}

interface LabelledProps {
  id: string;
  label: string;
  note?: ComponentChildren;
  children: ComponentChildren;
}

/** A field below its label. */
export const Labelled = ({ id, label, note, children }: LabelledProps) => (
  <p class="field">
    <label for={id}>{label}</label>
    {children}
    <span id={`${id}-note`}>{note}</span>
  </p>
);

/** A value as the texts of a field. */
export const textsOf = (value: unknown): string[] => {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
};
