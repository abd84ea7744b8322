import { OPERATOR_TOKEN, type Story } from './market.ts';

const TASK = { kind: 'labeling', title: 'Cat or dog', reward: 0.01 };

const EXAMPLE = ['payload', 'answer', 'explanation'] as const;

/** Units are given out, answered, rejected, appealed and decided. */
export const LABOR: Story = {
  fields: [
    'post_labor_task/instructions',
    'post_labor_task/units[]/payload',
    'post_labor_task/json_schema',
    ...EXAMPLE.map((name) => `post_labor_task/template/examples[]/${name}`),
    'upload_labor_units/jsonl',
    'deliver_labor_task/submission',
    'judge_labor_claim/reason',
    'labor_appeal/reason',
    'decide_labor_appeal/note',
  ],
  tell: async ({ platform, call, text, read }) => {
    const [poster, worker] = await Promise.all([platform.agent({ usd: 5 }), platform.agent()]);
    const instructions = text('post_labor_task/instructions');
    const units = [{ payload: text('post_labor_task/units[]/payload') }];
    const { task_id } = await call('post_labor_task', { ...TASK, instructions, units }, poster.key);
    const at = { task_id };
    const task = { operation: 'get_labor_task', input: at, key: worker.key };
    await read({ field: 'post_labor_task/instructions', ...task });
    const { claim_id } = await call('take_labor_task', at, worker.key);
    const claims = { operation: 'labor_claims', input: at };
    await read({ field: 'post_labor_task/units[]/payload', ...claims, key: worker.key });
    const claim = { ...at, claim_id };
    const submission = text('deliver_labor_task/submission');
    await call('deliver_labor_task', { ...claim, submission }, worker.key);
    await read({ field: 'deliver_labor_task/submission', ...claims, key: poster.key });
    const reason = text('judge_labor_claim/reason');
    await call('judge_labor_claim', { ...claim, verdict: 'reject', reason }, poster.key);
    await read({ field: 'judge_labor_claim/reason', ...claims, key: worker.key });
    const appeal = text('labor_appeal/reason');
    await call('labor_appeal', { ...claim, reason: appeal }, worker.key);
    const appeals = { operation: 'list_labor_appeals', input: {}, key: OPERATOR_TOKEN };
    await read({ field: 'labor_appeal/reason', ...appeals });
    await read({ field: 'labor_appeal/reason', ...claims, key: poster.key });
    const ruling = { claim_id, verdict: 'reject', note: text('decide_labor_appeal/note') };
    await call('decide_labor_appeal', ruling, OPERATOR_TOKEN);
    await read({ field: 'decide_labor_appeal/note', ...claims, key: worker.key });
    await read({ field: 'decide_labor_appeal/note', ...claims, key: poster.key });
    const results = { operation: 'labor_results', input: at, key: poster.key };
    await read({ field: 'deliver_labor_task/submission', ...results });

    const payload = text('upload_labor_units/jsonl');
    const jsonl = `${JSON.stringify({ payload })}\r\n`;
    const { upload_id } = await call('upload_labor_units', { jsonl }, poster.key);
    const json_schema = { type: 'string', description: text('post_labor_task/json_schema') };
    const example = Object.fromEntries(
      EXAMPLE.map((name) => [name, text(`post_labor_task/template/examples[]/${name}`)]),
    );
    const template = { form: 'transcription', examples: [example] };
    const checked = { verification: 'schema', json_schema, instructions: 'Answer.', upload_id };
    const form = { ...TASK, kind: 'transcription', template };
    const second = await call('post_labor_task', { ...form, ...checked }, poster.key);
    const next = { task_id: second.task_id };
    await call('take_labor_task', next, worker.key);
    const taken = { operation: 'labor_claims', input: next, key: worker.key };
    await read({ field: 'upload_labor_units/jsonl', ...taken });
    const shown = { operation: 'get_labor_task', input: next, key: worker.key };
    await read({ field: 'post_labor_task/json_schema', ...shown });
    for (const name of EXAMPLE) {
      await read({ field: `post_labor_task/template/examples[]/${name}`, ...shown });
    }
  },
};
