import { readFileBytes } from '../http/request.ts';
import type { HttpContext } from '../http/routes.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';

/** A file as it was sent, with the fields of its form or query. */
export interface SentFile {
  readonly text: string;
  /** Name of the file, if the sender told it. */
  readonly fileName: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads a file from the body: itself, or the first file of a form (multipart/form-data). */
export async function readSentFile(ctx: HttpContext): Promise<SentFile> {
  const type = ctx.req.headers['content-type'] ?? '';
  const bytes = await readFileBytes(ctx);
  if (!/^multipart\/form-data/i.test(type)) {
    return { text: textOf(bytes), fileName: undefined, fields: {} };
  }
  const form = await formOf(bytes, type);
  const entries = [...form.entries()];
  const [, file] = entries.find(([, value]) => typeof value !== 'string') ?? [];
  if (file === undefined || typeof file === 'string') {
    throw new Refusal('bad_request', 'The form has no file.');
  }
  const fields = entries.flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  const text = textOf(Buffer.from(await file.arrayBuffer()));
  return { text, fileName: file.name || undefined, fields: Object.fromEntries(fields) };
}

/** The form's fields, read by the parser of Node. */
async function formOf(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': type },
    }).formData();
  } catch {
    throw new Refusal('bad_request', 'The body is not the form that its Content-Type says.');
  }
}

/**
 * The text of a file: UTF-8, UTF-16 where it says so at its start, else Windows-1252, in which
 * spreadsheets save CSV.
 */
export function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
