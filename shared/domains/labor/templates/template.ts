import { Input, invalid, OneOf, Text, Type, type Static } from '../../../kernel/schema.ts';
import { clean, HIDDEN, PublicText, untrusted } from '../../../kernel/text.ts';
import { labelOf, labelsOf } from '../verification/labels.ts';

/** The kinds of work for which each form is, because the kind decides how answers are compared. */
const KINDS_OF = {
  classification: ['classification', 'labeling'],
  moderation: ['moderation'],
  preference: ['classification', 'labeling'],
  ner: ['labeling'],
  boxes: ['labeling'],
  transcription: ['transcription'],
  translation: ['translation'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type TemplateForm = keyof typeof KINDS_OF;
const FORMS = Object.keys(KINDS_OF) as TemplateForm[];

const LABELS_MAX = 50;
/** Maximum examples, because everybody reads them who looks at the task. */
const EXAMPLES_MAX = 5;
const EXAMPLE_CHARS_MAX = 1_000;

/** The answers to a pair of texts of which one is better. */
const PREFERENCES = ['a', 'b', 'tie'] as const;

export const TemplateInput = Type.Object(
  {
    form: OneOf(
      FORMS,
      'classification, moderation: one of labels. preference: a, b or tie; the payload is ' +
        '{"a", "b"}. ner: [{"start", "end", "label"}], in characters. boxes: ' +
        '[{"x", "y", "width", "height", "label"}], in percent of the picture. Others: a text.',
    ),
    labels: Type.Optional(
      Type.Array(PublicText(Text(1, 40, 'Without commas.')), {
        minItems: 1,
        maxItems: LABELS_MAX,
        description: 'Labels to choose from.',
      }),
    ),
    several: Type.Optional(Type.Boolean({ description: 'true: a JSON list of labels.' })),
    punctuation: Type.Optional(
      Type.Boolean({ description: 'true: marks of texts count as words.' }),
    ),
    examples: Type.Optional(
      Type.Array(
        Input({
          payload: PublicText(Text(1, EXAMPLE_CHARS_MAX, 'A payload.')),
          answer: PublicText(Text(1, EXAMPLE_CHARS_MAX, 'Its right answer.')),
          explanation: Type.Optional(PublicText(Text(1, 500, 'Why.'))),
        }),
        { maxItems: EXAMPLES_MAX, description: 'For all workers.' },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'The form of answers; others are refused.',
  },
);

/** The form of the answers to a task. */
export type Template = Static<typeof TemplateInput>;

const TAKES_LABELS: readonly TemplateForm[] = ['classification', 'moderation', 'ner', 'boxes'];
const TAKES_SEVERAL: readonly TemplateForm[] = ['classification', 'moderation'];
const TAKES_TEXTS: readonly TemplateForm[] = ['transcription', 'translation'];

/** Refuses a template whose parts do not fit each other, or the kind of work. */
export function assertTemplate(template: Template, kind: string): void {
  const { form, labels, several, punctuation } = template;
  const faults = [
    ...faultIf(
      !(KINDS_OF[form] as readonly string[]).includes(kind),
      'form',
      `'${form}' needs kind ${KINDS_OF[form].map((one) => `'${one}'`).join(' or ')}`,
    ),
    ...faultIf(
      TAKES_LABELS.includes(form) !== (labels !== undefined),
      'labels',
      `must be ${labels ? 'absent' : 'given'} for form '${form}'`,
    ),
    ...faultIf(
      several === true && !TAKES_SEVERAL.includes(form),
      'several',
      "must be absent or false unless form is 'classification' or 'moderation'",
    ),
    ...faultIf(
      punctuation === true && !TAKES_TEXTS.includes(form),
      'punctuation',
      "must be absent or false unless form is 'transcription' or 'translation'",
    ),
    ...(labels ?? []).flatMap((label, n) => faultIf(!isOneLabel(label), `labels/${n}`, LABEL_RULE)),
    ...faultIf(
      new Set(labels?.map(keyOfLabel)).size < (labels ?? []).length,
      'labels',
      'must differ by more than case, spaces and joiners',
    ),
  ];
  if (faults.length > 0) throw invalid(faults);
}

const faultIf = (isFault: boolean, field: string, message: string) =>
  isFault ? [{ pointer: `/template/${field}`, message }] : [];

/** The rule for a label, as docs/boards/labor.md has it. */
export const LABEL_RULE =
  'must be one line that begins with no quotation mark, [ or {, and has no comma or semicolon of ' +
  'any script, no hidden character but joiners, and no space at its ends or beside another';

/** Signs with which an answer of several labels, or JSON, begins; and those that divide labels. */
const NOT_ONE = /^["“”„‟＂«»[{［｛]|[,;，；、､،؛\r\n]/u;
const SPACES = /^\s|\s$|\s\s|[\t\v\f]/u;
const HIDING = new RegExp(`[${HIDDEN}]`, 'u');

/**
 * Whether an answer of this label is read as this label, and not as several or as JSON, and whether
 * it is seen as it is stored: nothing of it is changed here.
 */
const isOneLabel = (label: string): boolean =>
  ![NOT_ONE, SPACES, HIDING].some((fault) => fault.test(label)) &&
  keyOfLabel(label) !== '' &&
  labelsOf(label).sets.length === 1;

/** A label as it is compared: joiners do not count. */
export const keyOfLabel = (label: string): string => labelOf(clean(label));

/** The labels that an answer may have; none: it is a text. */
export const choicesOf = ({ form, labels }: Template): readonly string[] =>
  form === 'preference' ? PREFERENCES : (labels ?? []);

/** The template as others see it: all of it is by the poster. */
export const templateShown = ({ template }: { readonly template: Template | null }) =>
  template === null ? null : untrusted(JSON.stringify(template));
