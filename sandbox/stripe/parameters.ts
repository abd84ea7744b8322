import { readFileSync } from 'node:fs';

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

import type { FormFields } from './form.ts';
import { invalid } from './refusal.ts';

interface Definitions {
  readonly [name: string]: { readonly enum?: readonly string[] };
}

let compiler: { ajv: Ajv; definitions: Definitions } | undefined;

/** Read and compiled when the first request needs them. */
function schemas() {
  if (compiler) return compiler;
  const file = new URL('./parameters.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as { definitions: Definitions };
  const ajv = new Ajv({ strict: false, coerceTypes: true, verbose: true, allErrors: false });
  ajv.addSchema(schema, 'stripe');
  compiler = { ajv, definitions: schema.definitions };
  return compiler;
}

/**
 * The fields of a request in the types of the SDK: numbers and booleans are read from their text.
 * Throws Stripe's error for fields that are missing, unknown or of another type.
 */
export function parametersOf<T>(name: string, fields: FormFields): T {
  const { ajv, definitions } = schemas();
  const known = definitions[`${name}Names`]?.enum;
  const parameters = structuredClone(fields);
  const validate = ajv.getSchema(`stripe#/definitions/${name}`) as ValidateFunction<T>;
  if (validate(parameters)) return parameters;
  throw refusalOf(validate.errors!, known);
}

function refusalOf(errors: readonly ErrorObject[], known: readonly string[] = []) {
  const of = (keyword: string) => errors.find((error) => error.keyword === keyword);
  const unknown = of('additionalProperties');
  if (unknown) {
    const param = pathOf(unknown, String(unknown.params.additionalProperty));
    if (known.includes(param)) {
      return invalid(`The sandbox does not support the parameter ${param}, which Stripe has.`, {
        param,
      });
    }
    return invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
  }
  const required = of('required');
  if (required) {
    const param = pathOf(required, String(required.params.missingProperty));
    return invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
  }
  return wrongValue(errors);
}

function wrongValue(errors: readonly ErrorObject[]) {
  const last = errors.at(-1)!;
  const param = pathOf(last);
  if (last.data === '') {
    return invalid(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset ` +
        `a parameter; however '${param}' cannot be unset. You should remove '${param}' from your ` +
        'request or supply a non-empty value.',
      { param, code: 'parameter_invalid_empty' },
    );
  }
  const values = allowedBy(last);
  if (values.length > 0) {
    return invalid(`Invalid ${param}: must be one of ${listed(values)}`, { param });
  }
  const type = errors.map(({ params }) => String(params.type)).find((name) => name in MESSAGES);
  if (type === 'integer') {
    const text = String(last.data);
    const code = 'parameter_invalid_integer';
    return invalid(`Invalid integer: ${text}`, { param, code });
  }
  return invalid(`Invalid ${type ? MESSAGES[type as 'object'] : 'value'}`, { param });
}

const MESSAGES = {
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
  string: 'string',
};

function allowedBy({ keyword, schema }: ErrorObject): string[] {
  if (keyword === 'enum') return schema as string[];
  if (keyword === 'const') return [schema as string];
  if (keyword !== 'anyOf') return [];
  const options = schema as { const?: string; enum?: string[] }[];
  return options.flatMap((option) => option.enum ?? option.const ?? []).filter(Boolean);
}

function listed(values: readonly string[]): string {
  if (values.length < 3) return values.join(' or ');
  return `${values.slice(0, -1).join(', ')}, or ${values.at(-1)}`;
}

function pathOf({ instancePath }: ErrorObject, field?: string): string {
  const path = instancePath.split('/').slice(1);
  const [first, ...rest] = field === undefined ? path : [...path, field];
  return [first, ...rest.map((name) => `[${name}]`)].join('');
}
