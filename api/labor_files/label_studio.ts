import { formAnswerOf } from '../../shared/domains/labor/templates/answer_form.ts';
import { pictureOf } from '../../shared/domains/labor/templates/picture.ts';
import type { Template } from '../../shared/domains/labor/templates/template.ts';
import { pairOf } from '../../shared/domains/labor/templates/unit_check.ts';
import type { ResultLine } from './result_line.ts';

/** A unit as a task of Label Studio, with an annotation for each answer that its poster reads. */
export function labelStudioTask(line: ResultLine, template: Template | null) {
  const { unit_id, n, payload, expected, answer, answers } = line;
  const annotation = (text: string, about: About) => ({
    ground_truth: about.ground_truth ?? false,
    was_cancelled: about.was_cancelled ?? false,
    result: regionsOf(template, payload, text).map((region, index) => ({
      id: index === 0 ? 'answer' : `answer-${index + 1}`,
      from_name: 'answer',
      to_name: 'payload',
      ...region,
      ...(about.meta && { meta: about.meta }),
    })),
  });
  const known = expected === undefined ? [] : [annotation(expected, { ground_truth: true })];
  return {
    data: { ...dataOf(template, payload), unit_id, n, answer },
    annotations: [
      ...known,
      ...answers.flatMap(({ claim_id, worker_id, status, submission }) => {
        if (submission === null) return [];
        const text = [`claim ${claim_id}`, `worker ${worker_id}`, status];
        return [annotation(submission, { was_cancelled: status === 'rejected', meta: { text } })];
      }),
    ],
  };
}

interface About {
  readonly ground_truth?: boolean;
  readonly was_cancelled?: boolean;
  readonly meta?: { readonly text: readonly string[] };
}

/** The fields that the labeling interface shows. */
function dataOf(template: Template | null, payload: string) {
  const pair = template?.form === 'preference' ? pairOf(payload) : undefined;
  if (pair) return { payload, prompt: '', ...pair };
  // The places of words are those of the payload as it is.
  if (template?.form === 'ner') return { payload };
  const picture = pictureOf(payload, template?.form === 'boxes');
  return { payload: picture?.url ?? payload };
}

/** The parts of an answer, as Label Studio has them; what has no form is a text area. */
function regionsOf(template: Template | null, payload: string, answer: string): readonly object[] {
  const read = template ? formAnswerOf(template, { payload, answer }) : { text: answer };
  if ('labels' in read) return [{ type: 'choices', value: { choices: read.labels } }];
  if ('spans' in read) {
    const characters = Array.from(payload);
    return read.spans.map(({ start, end, label }) => ({
      type: 'labels',
      value: { start, end, text: characters.slice(start, end).join(''), labels: [label] },
    }));
  }
  if ('boxes' in read) {
    const { width, height } = pictureOf(payload, true) ?? {};
    const size = width && height ? { original_width: width, original_height: height } : {};
    return read.boxes.map(({ label, ...box }) => ({
      type: 'rectanglelabels',
      ...size,
      image_rotation: 0,
      value: { ...box, rotation: 0, rectanglelabels: [label] },
    }));
  }
  return [{ type: 'textarea', value: { text: [answer] } }];
}
