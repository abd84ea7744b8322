import { operation } from '../../kernel/operation.ts';
import { Input, OneOf } from '../../kernel/schema.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { rows } from '../../platform/rows.ts';
import { DISPUTE_KINDS, DisputedId } from '../deals/disputed.ts';
import { EVIDENCE, evidenceOf, EvidenceView } from './evidence/evidence_view.ts';
import { LABOR_EVIDENCE } from './evidence/labor_evidence.ts';
import { ORDER_EVIDENCE } from './evidence/order_evidence.ts';
import { TASK_EVIDENCE } from './evidence/task_evidence.ts';

const FIND = { order: ORDER_EVIDENCE, task: TASK_EVIDENCE, labor: LABOR_EVIDENCE };
const NAMES = { order: 'order', task: 'task', labor: 'labor claim' };

export const disputeEvidence = operation({
  name: 'dispute_evidence',
  title: 'Show the evidence of a dispute',
  summary:
    'Operators: shows what was promised and delivered in a disputed order or task, or an ' +
    'appealed labor claim, what happened when, and what each side said. What a vault holds is ' +
    'not shown.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/disputes/:kind/:id',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    kind: OneOf(DISPUTE_KINDS, 'Kind of object in dispute. An order may be of a dataset.'),
    id: DisputedId,
  }),
  output: EvidenceView,

  async handle({ db }, { kind, id }) {
    const [found] = await rows(db, EVIDENCE, FIND[kind], [id]);
    if (!found) throw new Refusal('not_found', `No ${NAMES[kind]} ${id} is or was disputed.`);
    return { kind, id, ...evidenceOf(found) };
  },
});
