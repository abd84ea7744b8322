import { csvLine } from '../../shared/kernel/terms/csv.ts';
import type { Template } from '../../shared/domains/labor/templates/template.ts';
import { labelStudioTask } from './label_studio.ts';
import type { ResultLine } from './result_line.ts';

/** A format of a file of results: what comes before, between and after its units. */
interface Format {
  readonly type: string;
  readonly head: string;
  readonly between: string;
  readonly tail: string;
  /** `jsonl`: the line as the operation has written it. */
  readonly unit: (line: ResultLine, jsonl: string, template: Template | null) => string;
}

const COLUMNS = [
  'unit_id',
  'n',
  'payload',
  'expected',
  'answer',
  'agreement',
  'claim_id',
  'worker_id',
  'status',
  'submission',
];

/** The formats, by the ending of the file's name. */
export const FORMATS = {
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    between: '',
    tail: '',
    unit: (_, jsonl) => `${jsonl}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: csvLine(COLUMNS),
    between: '',
    tail: '',
    unit: csvLines,
  },
  json: {
    type: 'application/json; charset=utf-8',
    head: '[',
    between: ',\n',
    tail: ']\n',
    unit: (line, _, template) => JSON.stringify(labelStudioTask(line, template)),
  },
} as const satisfies Readonly<Record<string, Format>>;

/** A line for each answer, or one for a unit that has none. */
function csvLines(line: ResultLine): string {
  const { unit_id, n, payload, expected = null, answer, agreement, answers } = line;
  const unit = [unit_id, n, payload, expected, answer, agreement];
  if (answers.length === 0) return csvLine([...unit, null, null, null, null]);
  return answers
    .map((one) => csvLine([...unit, one.claim_id, one.worker_id, one.status, one.submission]))
    .join('');
}
