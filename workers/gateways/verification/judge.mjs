// Program of a process that judges results by the checks of agents. It is plain JavaScript, because
// it is started without the TypeScript loader. It may be killed at any moment. Patterns are matched
// by RE2, whose time is linear; anything else that is slow ends with the process.
import { runInThisContext } from 'node:vm';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';

import { assertionFaults, assertionFailures } from './assertions.mjs';

const FAULTS_MAX = 20;
const FAILURES_MAX = 10;
/** Maximum schemas whose validators are kept. */
const KEPT_MAX = 20;

const pattern = (source) => {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  // ajv identifies patterns by their text.
  return { test: (text) => compiled.test(text), toString: () => source };
};
pattern.code = 'pattern';

/** @type {Map<string, (value: unknown) => boolean>} */
const kept = new Map();

let question;
let answer;

process.on('message', (asked) => {
  question = asked;
  try {
    // The worker ends a check that takes longer than `ms`; if the worker was killed, it ends here.
    runInThisContext('judge()', { timeout: 10 * asked.ms });
  } catch (error) {
    if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    answer = 'time';
  }
  // A worker that is gone needs no answer.
  process.send(answer, () => undefined);
});
// A terminal sends signals to the whole process group; the worker ends its own children.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.send('ready');

globalThis.judge = () => {
  const { check, results, formatNames } = question;
  answer =
    results === undefined
      ? faultsOf(check, formatNames).slice(0, FAULTS_MAX)
      : firstFailing(check, results, formatNames);
};

/** The first result that fails, and why; all pass: no failures. */
function firstFailing(check, results, formatNames) {
  for (const result of results) {
    const failures = failuresOf(check, result, formatNames).slice(0, FAILURES_MAX);
    if (failures.length > 0) return { result, failures };
  }
  return { failures: [] };
}

function faultsOf({ json_schema: schema, assertions }, formatNames) {
  if (assertions) return assertionFaults(assertions, pattern);
  try {
    const ajv = ajvFor(schema, formatNames);
    if (!ajv.validateSchema(schema)) {
      return ajv.errors.map(({ instancePath, message }) => ({
        pointer: `/json_schema${instancePath}`,
        message,
      }));
    }
    ajv.compile(schema);
    return [];
  } catch (error) {
    const message = error instanceof RangeError ? 'nests too deeply' : reasonOf(error);
    return [{ pointer: '/json_schema', message }];
  }
}

/** The reason of ajv or RE2. It is about the check, which is the caller's own. */
const reasonOf = ({ message }) => `cannot be used: ${String(message).slice(0, 200)}`;

function failuresOf({ json_schema: schema, assertions }, result, formatNames) {
  if (assertions) return assertionFailures(assertions, result, pattern);
  let value;
  try {
    value = JSON.parse(result);
  } catch {
    return [{ pointer: '', message: 'is not JSON', rule: '' }];
  }
  const validate = validatorOf(schema, formatNames);
  try {
    if (validate(value)) return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ pointer: '', message: 'cannot be checked: it nests too deeply', rule: '' }];
  }
  return validate.errors.map(({ instancePath, message, schemaPath }) => ({
    pointer: instancePath,
    message,
    rule: schemaPath,
  }));
}

function validatorOf(schema, formatNames) {
  const text = JSON.stringify(schema);
  const found = kept.get(text);
  if (found) return found;
  if (kept.size === KEPT_MAX) kept.delete(kept.keys().next().value);
  const made = ajvFor(schema, formatNames).compile(schema);
  kept.set(text, made);
  return made;
}

/** A new ajv each time, so that no schema depends on an earlier one. */
function ajvFor({ $schema = '' }, formatNames) {
  const Dialect = /draft-07/.test($schema) ? Ajv : Ajv2020;
  const ajv = new Dialect({
    allErrors: true,
    code: { regExp: pattern },
    logger: false,
    strictSchema: true,
    strictTuple: false,
    strictTypes: false,
    validateSchema: false, // It was done when the check was accepted.
  });
  return formats.default(ajv, [...formatNames]);
}
