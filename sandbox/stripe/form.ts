/** A value of a form: a text, a list, or fields. */
type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type FormFields = { [name: string]: FormValue };

/** `a[b][0][c]=1&d[]=2` as `{a: {b: [{c: '1'}]}, d: ['2']}`, Stripe's format of requests. */
export function fieldsOf(form: string): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.replaceAll(']', '').split('[');
    put(fields, path, value);
  }
  return withLists(fields) as FormFields;
}

function put(fields: FormFields, [name, ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(fields).length) : name!;
  if (rest.length === 0) {
    define(fields, key, value);
    return;
  }
  if (typeof fields[key] !== 'object') define(fields, key, {});
  put(fields[key] as FormFields, rest, value);
}

/** Defines a field safely: a caller may name one `__proto__`. */
const define = (fields: FormFields, key: string, value: FormValue) =>
  Object.defineProperty(fields, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });

function withLists(value: FormValue): FormValue {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, withLists(field)] as const);
  const isList = entries.length > 0 && entries.every(([name], n) => name === String(n));
  return isList ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}
