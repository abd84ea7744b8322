// Statements about a result: `Assertion` of shared/domains/verification/result_check.ts. `pattern`
// makes a matcher from a text, or throws.

/** Faults of these assertions, with pointers into the input. */
export function assertionFaults(assertions, pattern) {
  return assertions.flatMap(({ op, value, path }, n) => {
    const faults = [];
    const message = faultOfValue(op, value, pattern);
    if (message) faults.push({ pointer: `/assertions/${n}/value`, message });
    const fault = faultOfPath(op, path);
    if (fault) faults.push({ pointer: `/assertions/${n}/path`, message: fault });
    return faults;
  });
}

function faultOfValue(op, value, pattern) {
  if (op === 'equals') return undefined;
  if (op === 'min_length' || op === 'max_length') {
    return Number.isSafeInteger(value) && value >= 0 ? undefined : 'must be a whole number from 0';
  }
  if (typeof value !== 'string' || value === '') return `must be a text for ${op}`;
  if (op === 'contains') return undefined;
  try {
    pattern(value);
    return undefined;
  } catch (error) {
    return `is no pattern of RE2: ${String(error.message).slice(0, 200)}`;
  }
}

function faultOfPath(op, path) {
  if (path === undefined) return op === 'equals' ? 'is missing: equals is for JSON' : undefined;
  return /^(\/([^~/]|~[01])*)*$/.test(path) ? undefined : 'is no JSON pointer, as /items/0/name';
}

/** The assertions that are not true of a result, with the reasons. */
export function assertionFailures(assertions, result, pattern) {
  const isJson = assertions.some(({ path }) => path !== undefined);
  let document;
  try {
    if (isJson) document = JSON.parse(result);
  } catch {
    return [{ pointer: '', message: 'is not JSON', rule: '/assertions' }];
  }
  return assertions.flatMap(({ op, value, path }, n) => {
    const judged = path === undefined ? result : valueAt(document, path);
    const message = judged === undefined ? 'is missing' : failureOf({ op, value, judged, pattern });
    return message ? [{ pointer: path ?? '', message, rule: `/assertions/${n}` }] : [];
  });
}

function failureOf({ op, value, judged, pattern }) {
  if (op === 'equals') return judged === value ? undefined : 'is another value';
  if (op === 'min_length' || op === 'max_length') return failureOfLength(op, value, judged);
  if (typeof judged !== 'string') return 'is no text';
  if (op === 'contains') return judged.includes(value) ? undefined : 'does not contain the value';
  return pattern(value).test(judged) ? undefined : 'does not match the pattern';
}

function failureOfLength(op, limit, judged) {
  if (typeof judged !== 'string' && !Array.isArray(judged)) return 'is neither text nor a list';
  const { length } = Array.from(judged); // A text is counted in code points, as in JSON Schema.
  if (op === 'min_length' ? length >= limit : length <= limit) return undefined;
  return `has a length of ${length}`;
}

/** The value at a JSON pointer (RFC 6901), if there is one. */
function valueAt(document, path) {
  let value = document;
  for (const part of path.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) {
      return undefined;
    }
    // JavaScript counts it among the properties of a list.
    if (Array.isArray(value) && name === 'length') return undefined;
    value = value[name];
  }
  return value;
}
