import papaparse from 'papaparse';

import {
  CHARS_MAX,
  delimiterOf,
  formatOf,
  invalidContent,
  type Format,
} from '../../shared/domains/email/files/file_text.ts';
import { withLineFeeds } from '../../shared/domains/email/files/line_ends.ts';

/** Rows of a part, unless they are long. */
const ROWS_A_PART = 2_000;

/** The text of a file in parts that the operation takes, each of whole rows. */
export function* partsOf(sent: string, format: Format | undefined): Generator<string> {
  const isLines = formatOf(sent, format) === 'jsonl';
  const delimiter = isLines ? '' : delimiterOf(sent);
  const text = isLines ? sent : withLineFeeds(sent, delimiter);
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const length = isLines ? lengthOfLines(rest) : lengthOfRows(rest, delimiter);
    yield rest.slice(0, length);
    at += length;
  }
}

function lengthOfLines(text: string): number {
  if (text.length <= CHARS_MAX) return text.length;
  const end = text.lastIndexOf('\n', CHARS_MAX - 1);
  if (end < 0) throw tooLongRow();
  return end + 1;
}

/** A line end within quotation marks ends no row, so the parser says where rows end. */
function lengthOfRows(text: string, delimiter: string): number {
  for (let preview = ROWS_A_PART; preview >= 1; preview = Math.floor(preview / 4)) {
    const { meta } = papaparse.parse(text.slice(0, CHARS_MAX + 1), {
      delimiter,
      newline: '\n',
      preview,
    });
    if (meta.truncated && meta.cursor <= CHARS_MAX) return meta.cursor;
    if (text.length <= CHARS_MAX) return text.length;
  }
  throw tooLongRow();
}

const tooLongRow = () => invalidContent(`has a row of more than ${CHARS_MAX} characters`);
