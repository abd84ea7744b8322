import { createHash } from 'node:crypto';

import { invalid, OneOf, Output, Text, Type, type Static } from '../../../kernel/schema.ts';

const ENCODINGS = ['utf8', 'base64', 'hex'] as const;

/** The hash of results that are approved automatically. */
export const HashCheck = Output('HashCheck', {
  expected_hash: Text(64, 64, 'The hash that a result must have, in hex.'),
  hash_encoding: OneOf(ENCODINGS, 'Encoding of the result: text, or bytes in this form.'),
  salt: Text(0, 200, 'Text hashed before the result.'),
});
export type HashCheck = Static<typeof HashCheck>;

/** The hash check as fields of task_post. */
export const HashFields = {
  expected_hash: Type.Optional(
    Type.String({
      minLength: 64,
      maxLength: 64,
      pattern: '^[0-9A-Fa-f]{64}$',
      description:
        '64 hexadecimal digits, for hash: the SHA-256 of the right result. It is ' +
        'approved and paid at once; others are refused, and a bidder has five attempts.',
    }),
  ),
  hash_encoding: Type.Optional(
    OneOf(
      ENCODINGS,
      'Encoding of the result for expected_hash: text, or bytes in this form. utf8 if absent.',
    ),
  ),
  salt: Type.Optional(Text(0, 200, 'Text hashed before the result for expected_hash.')),
};

export interface HashInput {
  readonly verification_type: string;
  readonly expected_hash?: string;
  readonly hash_encoding?: HashCheck['hash_encoding'];
  readonly salt?: string;
}

/** Builds the hash check of a task from its fields; undefined: its poster judges. */
export function hashCheckOf(input: HashInput): HashCheck | undefined {
  const { verification_type, expected_hash, hash_encoding = 'utf8', salt = '' } = input;
  const wanted = verification_type === 'hash' && expected_hash !== undefined;
  const given = (['expected_hash', 'hash_encoding', 'salt'] as const).filter(
    (name) => input[name] !== undefined,
  );
  if (!wanted && given.length > 0) {
    const message = "needs verification_type 'hash' and expected_hash";
    throw invalid(given.map((name) => ({ pointer: `/${name}`, message })));
  }
  if (!wanted) return undefined;
  return { expected_hash: expected_hash.toLowerCase(), hash_encoding, salt };
}

/** Whether a result has the hash. Refuses a result that is not written in the encoding. */
export function hasHash(
  { expected_hash, hash_encoding, salt }: HashCheck,
  result: string,
): boolean {
  const bytes = bytesOf(result, hash_encoding);
  return createHash('sha256').update(salt, 'utf8').update(bytes).digest('hex') === expected_hash;
}

/** Forms in which the same text is often written. */
const WRITTEN: Readonly<Record<string, (result: string) => string>> = {
  'without line breaks at its end': (result) => result.replace(/[\r\n]+$/, ''),
  'with a line break at its end': (result) => `${result}\n`,
  'with line breaks of one character': (result) => result.replaceAll('\r\n', '\n'),
  'with line breaks of two characters': (result) => result.replaceAll(/\r?\n/g, '\r\n'),
  'without white space around it': (result) => result.trim(),
  'without a byte order mark': (result) => result.replace(/^\ufeff/, ''),
  'in Unicode form NFC': (result) => result.normalize('NFC'),
  'in Unicode form NFD': (result) => result.normalize('NFD'),
};

/** How the text of a result has to be written to have the hash; undefined: it is another text. */
export const rightFormOf = (check: HashCheck, result: string): string | undefined =>
  check.hash_encoding === 'utf8'
    ? Object.keys(WRITTEN).find((form) => hasHash(check, WRITTEN[form]!(result)))
    : undefined;

const FORMS = {
  base64: /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  hex: /^([0-9A-Fa-f]{2})*$/,
};

function bytesOf(result: string, encoding: HashCheck['hash_encoding']): Buffer {
  if (encoding === 'utf8' || FORMS[encoding].test(result)) return Buffer.from(result, encoding);
  throw invalid([{ pointer: '/result', message: `must be written in ${encoding}` }]);
}
