import { invalid, Output, Type, Untrusted } from '../../../kernel/schema.ts';
import { untrusted } from '../../../kernel/text.ts';
import {
  Assertion,
  Assertions,
  JsonSchema,
  type ResultCheck,
} from '../../verification/result_check.ts';
import { HashCheck, hashCheckOf, HashFields, type HashInput } from './hash_check.ts';

/** A check that judges a result without its poster. */
export type TaskCheck = HashCheck | ResultCheck;

/** The checks as fields of task_post. */
export const CheckFields = {
  ...HashFields,
  json_schema: Type.Optional(JsonSchema),
  assertions: Type.Optional(Assertions),
};

interface CheckInput extends HashInput {
  readonly json_schema?: object;
  readonly assertions?: readonly Assertion[];
}

/** Builds the check of a task from its fields; undefined: its poster judges. */
export function taskCheckOf(input: CheckInput): TaskCheck | undefined {
  const { verification_type: type, json_schema, assertions } = input;
  for (const name of ['json_schema', 'assertions'] as const) {
    if ((type === name) === (input[name] !== undefined)) continue;
    const message = `must be ${type === name ? 'given' : 'absent'} for verification_type '${type}'`;
    throw invalid([{ pointer: `/${name}`, message }]);
  }
  const hash = hashCheckOf(input);
  if (json_schema) return { json_schema };
  return assertions ? { assertions } : hash;
}

/** Whether an agent wrote the check, so that only the verification gateway may use it. */
export const isWritten = (check: TaskCheck | null | undefined): check is ResultCheck =>
  Boolean(check) && !('expected_hash' in check!);

/** The check of the results of a task, as it is shown. */
export const TaskVerification = Type.Union(
  [
    HashCheck,
    Output('SchemaCheck', {
      json_schema: Untrusted('The JSON Schema that a result must fit, as JSON.'),
    }),
    Output('AssertionsCheck', {
      assertions: Output('UntrustedAssertions', {
        untrusted: Type.Literal(true),
        content: Type.Array(Assertion, {
          description: 'Statements about a result. Written by another party.',
        }),
      }),
    }),
    Type.Null(),
  ],
  { description: 'The check that judges results at once; null: the poster judges.' },
);

export function verificationOf(check: TaskCheck | null) {
  if (!isWritten(check)) return check;
  return 'json_schema' in check
    ? { json_schema: untrusted(JSON.stringify(check.json_schema)) }
    : { assertions: { untrusted: true as const, content: [...check.assertions] } };
}
