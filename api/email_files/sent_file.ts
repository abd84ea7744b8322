import { randomUUID } from 'node:crypto';

import { readFileBytes } from '../http/request.ts';
import type { HttpContext } from '../http/routes.ts';
import { invalid } from '../../shared/kernel/invalid.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';

/** A file as it was sent, with the fields of its form or query. */
export interface SentFile {
  readonly text: string;
  /** Name of the file, if the sender told it. */
  readonly fileName: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

/** No file at all, which is not an empty one. */
const NO_FILE = 'must be given: no file was chosen';

/** Reads a file from the body: itself, or the first file of a form (multipart/form-data). */
export async function readSentFile(ctx: HttpContext): Promise<SentFile> {
  const type = ctx.req.headers['content-type'] ?? '';
  const bytes = await readFileBytes(ctx);
  if (!/^multipart\/form-data/i.test(type)) {
    const [, charset] = /;\s*charset="?([\w-]+)"?/i.exec(type) ?? [];
    return { text: textOf(bytes, charset), fileName: undefined, fields: {} };
  }
  const form = await formOf(bytes, type);
  const entries = [...form.entries()];
  const files = entries.filter(([, value]) => typeof value !== 'string');
  if (files.length > 1) throw new Refusal('bad_request', 'The form has several files: send one.');
  const [, file] = files[0] ?? [];
  if (file === undefined || typeof file === 'string') {
    throw new Refusal('bad_request', 'The form has no file.');
  }
  // A browser sends a form without a file so.
  if (file.name === '' && file.size === 0) throw invalid([{ pointer: '/file', message: NO_FILE }]);
  const fields = entries.flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  const text = textOf(Buffer.from(await file.arrayBuffer()));
  return { text, fileName: file.name || undefined, fields: Object.fromEntries(fields) };
}

/** The form's fields, read by the parser of Node. */
async function formOf(bytes: Buffer, type: string): Promise<FormData> {
  const boundary = `form-${randomUUID()}`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  try {
    const form = withBoundary(bytes, type, boundary) as Uint8Array<ArrayBuffer>;
    return await new Response(form, { headers }).formData();
  } catch {
    throw new Refusal('bad_request', 'The body is not the form that its Content-Type says.');
  }
}

/**
 * The form with another boundary, which no content holds: Node's parser ends a part wherever the
 * boundary occurs, also within a line, and takes no text before the first part or after the last
 * (RFC 2046 §5.1.1 allows both).
 */
function withBoundary(bytes: Buffer, type: string, boundary: string): Buffer {
  const [, quoted, plain = quoted ?? ''] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(type) ?? [];
  const sent = plain.replaceAll(/[^\w]/g, String.raw`\$&`);
  const delimiter = new RegExp(String.raw`(?:^|\r\n)--${sent}(?:(--)|[ \t]*\r\n)`, 'g');
  const text = bytes.toString('latin1');
  const parts: string[] = [];
  let from: number | undefined;
  for (const { 0: line, 1: end, index } of text.matchAll(delimiter)) {
    if (from !== undefined) parts.push(`--${boundary}\r\n${text.slice(from, index)}\r\n`);
    if (end) return Buffer.from(`${parts.join('')}--${boundary}--\r\n`, 'latin1');
    from = index + line.length;
  }
  throw new Error('the form has no end');
}

/** The beginnings of files that people send in place of a CSV, in hexadecimal. */
const OTHER_FILES: Readonly<Record<string, string>> = {
  '504b0304': 'a spreadsheet or an archive: save the sheet as CSV',
  d0cf11e0: 'an old spreadsheet: save it as CSV',
  '25504446': 'a PDF: send the list as CSV',
  '1f8b': 'compressed: unpack it',
  '89504e47': 'a picture',
  ffd8ff: 'a picture',
};

/**
 * The text of a file: in the named encoding, else UTF-8, UTF-16, or Windows-1252, in which
 * spreadsheets save CSV. UTF-16 without its mark is known by its zeros: of Western text each second
 * byte is one.
 */
function textOf(bytes: Buffer, charset?: string): string {
  const hex = bytes.subarray(0, 4).toString('hex');
  const other = Object.keys(OTHER_FILES).find((beginning) => hex.startsWith(beginning));
  if (other !== undefined) throw noText(OTHER_FILES[other]!);
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return decoded(bytes, charset);
  if (hex.startsWith('fffe')) return decoded(bytes, 'utf-16le');
  if (hex.startsWith('feff')) return decoded(bytes, 'utf-16be');
  const start = bytes.subarray(0, 1_000);
  const zeros = [...start].flatMap((byte, at) => (byte === 0 ? [at % 2] : []));
  if (zeros.length > start.length / 4 && zeros.every((half) => half === zeros[0])) {
    return decoded(bytes, zeros[0] === 1 ? 'utf-16le' : 'utf-16be');
  }
  if (zeros.length > 0) throw noText('binary: it has NUL characters');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decoded(bytes, 'windows-1252');
  }
}

/** Characters of Windows-1252 from 0x80 on, which Node reads as those of ISO-8859-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decoded(bytes: Buffer, charset: string): string {
  if (/^(windows-1252|cp1252|iso-8859-1|latin1|us-ascii)$/i.test(charset)) {
    const text = bytes.toString('latin1');
    return text.replaceAll(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!);
  }
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw new Refusal(
      'bad_request',
      `The encoding ${charset} is not known: send the file as UTF-8.`,
    );
  }
}

const noText = (what: string) => invalid([{ pointer: '/file', message: `is ${what}` }]);
