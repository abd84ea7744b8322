import { randomBytes } from 'node:crypto';

import { unclaimedRow } from '../deposits/unclaimed/unclaimed_row.ts';
import { OPERATOR_TOKEN, type Story } from './market.ts';

/** Rows of datasets and their descriptions. */
export const DATASETS: Story = {
  fields: [
    'create_dataset/description',
    'create_dataset/data[]',
    'rotate_dataset/data[]',
    'upload_dataset_rows/jsonl',
  ],
  tell: async ({ platform, call, text, read }) => {
    const [seller, reader] = await Promise.all([platform.agent(), platform.agent()]);
    const rowOf = (field: string) => ({ id: 1, [text(field)]: text(field) });
    const description = text('create_dataset/description');
    const made = { title: 'Cities', type: 'json', description };
    const data = [rowOf('create_dataset/data[]')];
    const { dataset_id } = await call('create_dataset', { ...made, data }, seller.key);
    const listed = { operation: 'list_datasets', input: { limit: 5 }, key: reader.key };
    await read({ field: 'create_dataset/description', ...listed });
    const opened = { operation: 'access_dataset', input: { dataset_id }, key: reader.key };
    await read({ field: 'create_dataset/data[]', ...opened });
    const renewed = [rowOf('rotate_dataset/data[]')];
    await call('rotate_dataset', { dataset_id, data: renewed }, seller.key);
    await read({ field: 'rotate_dataset/data[]', ...opened });
    const jsonl = `${JSON.stringify(rowOf('upload_dataset_rows/jsonl'))}\n`;
    const { upload_id } = await call('upload_dataset_rows', { jsonl }, seller.key);
    await call('rotate_dataset', { dataset_id, upload_id }, seller.key);
    await read({ field: 'upload_dataset_rows/jsonl', ...opened });
  },
};

/** Operators decide about agents and their withdrawals, and say why. */
export const DECISIONS: Story = {
  fields: [
    'operator_suspend_agent/note',
    'review_withdrawal/note',
    'claim_deposit/statement',
    'decide_unclaimed_payment/evidence',
  ],
  tell: async ({ platform, call, text, read }) => {
    const agent = await platform.agent({ usd: 500 });
    const address = `0x${'5a'.repeat(20)}`;
    const asked = { amount: 200, network: 'base', address };
    const { withdrawal_id } = await call('withdraw', asked, agent.key);
    const denial = { withdrawal_id, decision: 'deny', note: text('review_withdrawal/note') };
    await call('review_withdrawal', denial, OPERATOR_TOKEN);
    const withdrawals = { operation: 'list_withdrawals', input: {}, key: agent.key };
    await read({ field: 'review_withdrawal/note', ...withdrawals, isPart: true });
    const tx_id = `0x${randomBytes(32).toString('hex')}`;
    const deposit_id = await unclaimedRow(platform, tx_id);
    const statement = text('claim_deposit/statement');
    await call('claim_deposit', { rail: 'base', tx_id, statement }, agent.key);
    const unclaimed = { operation: 'list_unclaimed_payments', input: {}, key: OPERATOR_TOKEN };
    await read({ field: 'claim_deposit/statement', ...unclaimed });
    const evidence = text('decide_unclaimed_payment/evidence');
    const refusal = { deposit_id, decision: 'refuse', evidence };
    await call('decide_unclaimed_payment', refusal, OPERATOR_TOKEN);
    const claims = { operation: 'list_deposit_claims', input: {}, key: agent.key };
    await read({ field: 'decide_unclaimed_payment/evidence', ...claims });
    const note = text('operator_suspend_agent/note');
    await call('operator_suspend_agent', { agent_id: agent.id, note }, OPERATOR_TOKEN);
    const own = { operation: 'agent_me', input: {}, key: agent.key };
    await read({ field: 'operator_suspend_agent/note', ...own });
  },
};
