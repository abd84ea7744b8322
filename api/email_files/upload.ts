import type { CallBody } from '../../shared/kernel/call.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import {
  FORMATS,
  invalidContent,
  withLinesBefore,
  type Format,
} from '../../shared/domains/email/files/file_text.ts';
import type { Perform } from '../http/calls.ts';
import { partsOf } from './file_parts.ts';
import type { SentFile } from './sent_file.ts';

/** A file, and the Idempotency-Key of its upload. */
interface KeyedFile extends SentFile {
  readonly key: string | undefined;
}

interface Uploaded {
  readonly file_id: number;
  readonly row_count: number;
}

/**
 * Uploads a file part by part, so that no call reads much at once, and each counts as one call.
 * Returns the answer to the last part. If a part is refused, nothing of the file stays.
 */
export async function uploadParts(
  perform: Perform,
  readFile: () => Promise<KeyedFile>,
  { isCounted }: { isCounted: boolean },
): Promise<string> {
  let rest: Generator<string> | undefined;
  let before = '';
  let file: KeyedFile | undefined;
  const bodyOf = (input: object, part: number): CallBody => {
    const key = file?.key === undefined ? undefined : `${file.key}.${part}`;
    return { input, key, waitMs: 0 };
  };
  const readFirst = async () => {
    file = await readFile();
    rest = partsOf(file.text, formatIn(file));
    const content: unknown = rest.next().value;
    if (typeof content !== 'string') throw invalidContent('has no rows');
    before = content;
    return bodyOf({ content, ...namesIn(file) }, 0);
  };
  let answer = await perform('upload_email_file', readFirst, isCounted);
  const { file_id } = JSON.parse(answer) as Uploaded;
  try {
    let part = 1;
    for (const content of rest!) {
      const { row_count: after } = JSON.parse(answer) as Uploaded;
      const body = bodyOf({ content, file_id, after }, part);
      answer = await perform('upload_email_file', () => body, isCounted);
      before += content;
      part += 1;
    }
    return answer;
  } catch (error) {
    await perform('delete_email_file', () => bodyOf({ file_id }, 0), true);
    throw withLinesBefore(error, before);
  }
}

const FIELDS = ['name', 'column', 'format'];

/** The sender's words about the file, as fields of the operation. */
function namesIn({ fileName, fields }: SentFile): object {
  // Fields of the console's own forms begin with `_`.
  const unknown = Object.keys(fields).filter((name) => !FIELDS.includes(name) && name[0] !== '_');
  if (unknown.length > 0) {
    const message = `is not a field of an upload, which has ${FIELDS.join(', ')}`;
    throw invalid(unknown.map((name) => ({ pointer: `/${name.slice(0, 64)}`, message })));
  }
  const { name = fileName, column, format } = fields;
  return {
    ...(name !== undefined && { name: name.slice(0, 120) }),
    ...(column !== undefined && { column }),
    ...(format !== undefined && { format }),
  };
}

function formatIn({ fields: { format } }: SentFile): Format | undefined {
  const known = FORMATS.find((one) => one === format);
  if (known !== undefined || format === undefined) return known;
  throw invalid([{ pointer: '/format', message: `must be one of ${FORMATS.join(', ')}` }]);
}
