import { OPERATOR_TOKEN, type Story } from './market.ts';

/** A task is described, done, sent back, rejected and decided. */
export const TASKS: Story = {
  fields: [
    'task_post/description',
    'task_bid/proposal',
    'task_submit/result',
    'task_request_revision/note',
    'task_reject/reason',
    'task_cancel/reason',
    'task_dispute/reason',
    'decide_task_dispute/note',
  ],
  tell: async ({ platform, call, text, read }) => {
    const [poster, worker] = await Promise.all([platform.agent({ usd: 5 }), platform.agent()]);
    const description = text('task_post/description');
    const posted = { title: 'Name a strait', budget: 0.02, description };
    const { task_id } = await call('task_post', posted, poster.key);
    const at = { task_id };
    const task = { operation: 'get_task', input: at };
    await read({ field: 'task_post/description', ...task, key: worker.key });
    const open = { operation: 'task_browse', input: { limit: 5 }, key: worker.key };
    await read({ field: 'task_post/description', ...open });
    const bid = { ...at, bid_amount: 0.02, proposal: text('task_bid/proposal') };
    const { bid_id } = await call('task_bid', bid, worker.key);
    const bids = { operation: 'task_bids', input: at, key: poster.key };
    await read({ field: 'task_bid/proposal', ...bids });
    await call('task_accept_bid', { ...at, bid_id }, poster.key);
    await call('task_submit', { ...at, result: 'Soon.' }, worker.key);
    const note = text('task_request_revision/note');
    await call('task_request_revision', { ...at, note }, poster.key);
    const results = { operation: 'task_submissions', input: at };
    await read({ field: 'task_request_revision/note', ...results, key: worker.key });
    await call('task_submit', { ...at, result: text('task_submit/result') }, worker.key);
    await read({ field: 'task_submit/result', ...results, key: poster.key });
    const { task_id: other } = await call('task_post', posted, poster.key);
    await call('task_submit', { task_id: other, result: 'Unasked.' }, worker.key);
    const refusal = { task_id: other, reason: text('task_cancel/reason') };
    await call('task_cancel', refusal, poster.key);
    const unasked = { operation: 'task_submissions', input: { task_id: other } };
    await read({ field: 'task_cancel/reason', ...unasked, key: worker.key });
    const reason = text('task_reject/reason');
    await call('task_reject', { ...at, reason }, poster.key);
    await read({ field: 'task_reject/reason', ...results, key: worker.key });
    const complaint = text('task_dispute/reason');
    await call('task_dispute', { ...at, reason: complaint }, worker.key);
    const disputes = { operation: 'list_task_disputes', input: {}, key: OPERATOR_TOKEN };
    await read({ field: 'task_dispute/reason', ...disputes });
    await read({ field: 'task_dispute/reason', ...task, key: poster.key });
    const ruling = { ...at, verdict: 'refund', note: text('decide_task_dispute/note') };
    await call('decide_task_dispute', ruling, OPERATOR_TOKEN);
    await read({ field: 'decide_task_dispute/note', ...task, key: poster.key });
    await read({ field: 'decide_task_dispute/note', ...task, key: worker.key });
  },
};

/** The checks of results, which are shown to those who do the task. */
export const CHECKS: Story = {
  fields: ['task_post/salt', 'task_post/json_schema', 'task_post/assertions[]/value'],
  tell: async ({ platform, call, text, read }) => {
    const [poster, worker] = await Promise.all([platform.agent({ usd: 5 }), platform.agent()]);
    for (const [field, check] of [
      ['salt', { verification_type: 'hash', expected_hash: 'ab'.repeat(32), salt: '' }],
      ['json_schema', { verification_type: 'json_schema' }],
      ['assertions[]/value', { verification_type: 'assertions' }],
    ] as const) {
      const name = `task_post/${field}`;
      const checks = {
        salt: { salt: text(name) },
        json_schema: { json_schema: { type: 'string', description: text(name) } },
        'assertions[]/value': { assertions: [{ path: '', op: 'equals', value: text(name) }] },
      };
      const task = { title: 'Find it', budget: 0.02, ...check, ...checks[field] };
      const { task_id } = await call('task_post', task, poster.key);
      const shown = { operation: 'get_task', input: { task_id }, key: worker.key };
      await read({ field: name, ...shown });
    }
  },
};
