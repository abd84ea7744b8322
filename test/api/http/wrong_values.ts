/** Each JSON text is wrong for any field of these types. */
export const WRONG: Record<string, string[]> = {
  integer: ['"x"', '1.5', '[1]', '{}', 'true', '2147483648', '-1', '1e400', 'NaN', '-0', '1e308'],
  number: ['"x"', '[1]', '{}', 'false', '1e400', '-1e400', 'NaN', '-1', '"1e3"', '0.0000001'],
  string: ['7', '[]', '{}', 'true', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"'],
  boolean: ['"yes"', '1', '[]', '{}', '"\\u0000"'],
  array: ['7', '"x"', '{}', 'true', '["\\u0000"]', '[[["\\ud800"]]]'],
  object: ['7', '"x"', '[]', 'true', '{"a":"\\u0000"}', '{"\\ud800":1}'],
};

/** Whether an answer says that it ignored this field. */
export const isNamed = ({ ignored = [] }: { ignored?: readonly string[] }, name: string): boolean =>
  ignored.includes(name);
