import type { ResultLine } from './result_line.ts';

/** A unit as a task of Label Studio, with an annotation for each answer that its poster reads. */
export function labelStudioTask({ unit_id, n, payload, expected, answer, answers }: ResultLine) {
  const known = expected === undefined ? [] : [annotationOf(expected, { ground_truth: true })];
  return {
    data: { payload, unit_id, n, answer },
    annotations: [
      ...known,
      ...answers.flatMap(({ claim_id, worker_id, status, submission }) => {
        if (submission === null) return [];
        const text = [`claim ${claim_id}`, `worker ${worker_id}`, status];
        return [annotationOf(submission, { was_cancelled: status === 'rejected', meta: { text } })];
      }),
    ],
  };
}

interface About {
  readonly ground_truth?: boolean;
  readonly was_cancelled?: boolean;
  readonly meta?: { readonly text: readonly string[] };
}

/**
 * An answer as a text area of the labeling interface. Boxes stay JSON: they are in pixels, and
 * Label Studio has them in parts of a picture that is not here.
 */
const annotationOf = (text: string, { meta, ground_truth = false, ...about }: About) => ({
  ground_truth,
  was_cancelled: about.was_cancelled ?? false,
  result: [
    {
      id: 'answer',
      from_name: 'answer',
      to_name: 'payload',
      type: 'textarea',
      value: { text: [text] },
      ...(meta && { meta }),
    },
  ],
});
