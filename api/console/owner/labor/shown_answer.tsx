import {
  formAnswerOf,
  type LabelledBox,
  type Span,
} from '../../../../shared/domains/labor/templates/answer_form.ts';
import type { Template } from '../../../../shared/domains/labor/templates/template.ts';
import { visible } from '../../parts/text.tsx';
import { formattedJson } from './formatted_json.ts';

interface ShownProps {
  template: Template | null;
  payload: string;
  children: string;
}

/**
 * An answer by another party: words marked in the text of the unit, boxes in words, a short text,
 * or JSON with line breaks.
 */
export function Answer({ template, payload, children: answer }: ShownProps) {
  const read = template ? formAnswerOf(template, { payload, answer }) : { text: answer };
  if ('spans' in read && read.spans.length > 0) return <Spans text={payload} spans={read.spans} />;
  if ('boxes' in read && read.boxes.length > 0) return <Boxes boxes={read.boxes} />;
  if ('spans' in read || 'boxes' in read) return <strong class="answer">None ([])</strong>;
  const json = formattedJson(answer);
  if (json === undefined || json.length < 60)
    return (
      <strong class="answer">
        <bdi>{visible(answer)}</bdi>
      </strong>
    );
  return (
    <pre class="code" tabIndex={0} aria-label="The answer, as JSON">
      <bdi>{visible(json)}</bdi>
    </pre>
  );
}

/** A text with the parts that were marked in it, and each of them in a list: parts may overlap. */
function Spans({ text, spans }: { text: string; spans: readonly Span[] }) {
  const characters = Array.from(text);
  const part = (start: number, end: number) => characters.slice(start, end).join('');
  const ends = new Set([0, characters.length, ...spans.flatMap(({ start, end }) => [start, end])]);
  const places = [...ends].toSorted((one, other) => one - other);
  return (
    <div class="stack">
      <blockquote class="foreign">
        <bdi>
          {places.slice(1).map((end, n) => {
            const start = places[n]!;
            const words = visible(part(start, end));
            const isMarked = spans.some((span) => span.start <= start && end <= span.end);
            return isMarked ? <mark>{words}</mark> : words;
          })}
        </bdi>
      </blockquote>
      <ul class="lines">
        {spans.map(({ start, end, label }) => (
          <li>
            <strong>
              <bdi>{visible(label)}</bdi>
            </strong>
            : <bdi>{visible(part(start, end))}</bdi>{' '}
            <span class="small dim">
              ({start}–{end})
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const Boxes = ({ boxes }: { boxes: readonly LabelledBox[] }) => (
  <ul class="lines">
    {boxes.map(({ label, x, y, width, height }) => (
      <li>
        <strong>
          <bdi>{visible(label)}</bdi>
        </strong>
        : {x} % from the left, {y} % from the top, {width} % wide, {height} % high
      </li>
    ))}
  </ul>
);
