import papaparse from 'papaparse';

import { readJsonText } from '../../../kernel/reading/json_text.ts';
import { unkeptIn } from '../../../kernel/reading/unkept.ts';
import { invalid } from '../../../kernel/schema.ts';
import { unstorableIn } from '../../../kernel/storable.ts';
import { withLineFeeds } from './line_ends.ts';

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** Maximum characters of one call. */
export const CHARS_MAX = 200_000;
/** Maximum columns of a file. */
const COLUMNS_MAX = 200;

/** How the first part of a file says that the others are to be read. */
export interface Layout {
  readonly format: Format;
  readonly delimiter: string;
  /** Names of the columns. */
  readonly columns: readonly string[];
}

/** Rows of a part, each a list of cells in the order of `columns`. */
interface ReadPart extends Layout {
  readonly rows: readonly (readonly string[])[];
}

const JSON_LIST = /^\s*\[\s*[{["]/;
/** The line by which Excel is told the separator. */
const SEPARATOR_LINE = /^\ufeff?sep=([^\r\n"])\r?\n/i;

/** Reads the first part: its format, its columns, its rows. */
export function readFirst(text: string, format: Format | undefined): ReadPart {
  const content = text.replace(/^\ufeff/, '');
  if (formatOf(content, format) === 'jsonl') {
    return readObjects(content, { format: 'jsonl', delimiter: ',', columns: [] });
  }
  if (JSON_LIST.test(content)) {
    throw invalidContent('is a JSON list: write one of its values on each line');
  }
  if (format === undefined && /^\s*\{/.test(content)) {
    throw invalidContent('is JSON over several lines, or with commas after them: one value a line');
  }
  const [line = '', named = ''] = SEPARATOR_LINE.exec(content) ?? [];
  const { rows, delimiter } = readCells(content, named, line.length);
  const [first = []] = rows;
  const hasNames = !first.some(isAddressLike);
  const columns = columnsOf(hasNames ? first : [], rows);
  return { format: 'csv', delimiter, columns, rows: hasNames ? rows.slice(1) : rows };
}

/** The format that is named, or that of the first line. */
export function formatOf(text: string, named: Format | undefined): Format {
  if (named !== undefined) return named;
  return /^\ufeff?\s*\{/.test(text) && isJsonLine(text) ? 'jsonl' : 'csv';
}

/** The separator of the cells of CSV: a comma, tab, semicolon or bar, whichever fits best. */
export function delimiterOf(text: string): string {
  const [, named] = SEPARATOR_LINE.exec(text) ?? [];
  if (named !== undefined) return named;
  const beginning = text.slice(0, 20_000).replaceAll(/\r\n?/g, '\n');
  return papaparse.parse(beginning, { preview: 20, skipEmptyLines: true }).meta.delimiter;
}

/** Reads another part. An object may bring new columns; a line of CSV may not. */
export function readNext(text: string, layout: Layout): ReadPart {
  if (layout.format === 'jsonl') return readObjects(text, layout);
  if (formatOf(text, undefined) === 'jsonl') throw invalidContent('is JSON, and the file is CSV');
  const { rows } = readCells(text, layout.delimiter);
  return { ...layout, columns: columnsOf(layout.columns, rows), rows };
}

/** The names, and `column_5` for a column that has none. */
function columnsOf(names: readonly string[], rows: ReadPart['rows']): string[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), names.length);
  return Array.from({ length: width }, (_, n) => names[n]?.trim() || `column_${n + 1}`);
}

/** An object or a list of JSON, as nested fields of JSONL are kept. */
const NESTED = /^\s*(\{.*\}|\[.*\])\s*$/s;

/** Whether a cell holds what may be an address. */
export const isAddressLike = (cell = ''): boolean => cell.includes('@') && !NESTED.test(cell);

/**
 * Cells of CSV (RFC 4180), or of its variants with another delimiter, from a position on. Empty
 * lines are left out.
 */
function readCells(content: string, named: string, from = 0) {
  const delimiter = named || delimiterOf(content.slice(from));
  const text = withLineFeeds(content.slice(from), delimiter);
  const { data: found, errors } = papaparse.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    skipEmptyLines: true,
  });
  const data = isList(found) ? found[0]!.map((cell) => [cell]) : found;
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) {
    const before = content.slice(0, from) + text.slice(0, quotes.index ?? 0);
    throw badLine(lineEndsIn(before), 'has a quotation mark that does not end');
  }
  if (data.some(({ length }) => length > COLUMNS_MAX)) throw tooManyColumns();
  return { rows: data, delimiter };
}

/** Whether it is one line of addresses, as people copy them from a mail. */
const isList = ([only, ...others]: readonly string[][]): boolean =>
  others.length === 0 &&
  only !== undefined &&
  only.length > 1 &&
  only.every((cell) => isAddressLike(cell) || cell.trim() === '');

/** Lines of JSON: objects, whose fields are columns, or texts, which are addresses. */
function readObjects(text: string, layout: Layout): ReadPart {
  const columns = [...layout.columns];
  const positions = new Map(columns.map((name, n) => [name, n]));
  const rows = text.split(LINE_END).flatMap((line, n) => {
    if (line.trim() === '') return [];
    const cells: string[] = [];
    for (const [name, value] of Object.entries(fieldsOf(line, n))) {
      const at = positions.get(name) ?? columns.push(name) - 1;
      positions.set(name, at);
      cells[at] = cellOf(value);
    }
    return [Array.from(cells, (cell) => cell ?? '')];
  });
  if (columns.length > COLUMNS_MAX) throw tooManyColumns();
  return { ...layout, columns, rows };
}

function fieldsOf(line: string, n: number): object {
  const read = readJsonText(line);
  if ('fault' in read) throw badLine(n, read.fault);
  const { value } = read;
  const fault = unstorableIn(value);
  if (fault) throw badLine(n, fault);
  // The result would show another number than the row that was sent.
  const [unkept] = unkeptIn(value);
  if (unkept) throw badLine(n, `has a part, ${unkept.path.join('/')}, that ${unkept.message}`);
  if (typeof value === 'string') return { email: value };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw badLine(n, 'has neither an object nor a text');
}

/** A value as a cell. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return JSON.stringify(value);
}

function isJsonLine(text: string): boolean {
  try {
    JSON.parse(
      text
        .replace(/^\ufeff/, '')
        .trimStart()
        .split('\n', 1)[0]!,
    );
    return true;
  } catch {
    return false;
  }
}

const tooManyColumns = () => invalidContent(`has more than ${COLUMNS_MAX} columns`);

const badLine = (n: number, fault: string) => invalidContent(`${fault} in line ${n + 1}`);

/** A refusal of a part, as one of the file: its line is counted from the beginning of the file. */
export function withLinesBefore(error: unknown, before: string): unknown {
  const [, fault, line] =
    /^\/content (.*) in line (\d+)\.$/s.exec(String((error as Error).message)) ?? [];
  return fault === undefined ? error : badLine(lineEndsIn(before) + Number(line) - 1, fault);
}

const LINE_END = /\r\n?|\n/;
const lineEndsIn = (text: string): number => text.split(LINE_END).length - 1;

export const invalidContent = (message: string) => invalid([{ pointer: '/content', message }]);
