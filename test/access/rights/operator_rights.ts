import { randomUUID } from 'node:crypto';

import {
  anyWebhook,
  childOfBuyer,
  datasetDisputeOf,
  disputeOf,
  heldJob,
} from '../fresh_objects.ts';
import { unclaimedRow } from '../../deposits/unclaimed/unclaimed_row.ts';
import { appealedOf } from './labor_rights.ts';
import type { Right } from './right.ts';
import { disputedTaskOf } from './task_rights.ts';
import { reviewedOf } from './withdrawal_rights.ts';

/** Operations that only an operator may call. */
export const OPERATOR_RIGHTS: Readonly<Record<string, Right>> = {
  list_disputes: { route: 'GET /api/v1/admin/disputes', access: 'operator', isTool: false },
  dispute_evidence: {
    route: 'GET /api/v1/admin/disputes/:kind/:id',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({
      kind: 'order',
      id: (await disputeOf(scene, 'buyer')).order_id,
    }),
  },
  disputed_dataset: {
    route: 'GET /api/v1/admin/disputes/order/:order_id/dataset',
    access: 'operator',
    isTool: false,
    input: (scene) => datasetDisputeOf(scene),
  },
  decide_dispute: {
    route: 'POST /api/v1/admin/disputes/order/:order_id/verdict',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({
      ...(await disputeOf(scene, 'buyer')),
      verdict: 'refund',
      note: 'It was empty.',
    }),
  },
  list_task_disputes: {
    route: 'GET /api/v1/admin/disputes/tasks',
    access: 'operator',
    isTool: false,
  },
  decide_task_dispute: {
    route: 'POST /api/v1/admin/disputes/task/:task_id/verdict',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({
      ...(await disputedTaskOf(scene)),
      verdict: 'refund',
      note: 'It was a lake.',
    }),
  },
  list_labor_appeals: {
    route: 'GET /api/v1/admin/disputes/labor',
    access: 'operator',
    isTool: false,
  },
  decide_labor_appeal: {
    route: 'POST /api/v1/admin/disputes/labor/:claim_id/verdict',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({
      ...(await appealedOf(scene)),
      verdict: 'accept',
      note: 'It is one.',
    }),
  },
  refresh_proxies: {
    route: 'POST /api/v1/admin/proxy/refresh',
    access: 'operator',
    isTool: false,
  },
  operator_job: {
    route: 'GET /api/v1/admin/jobs/:job_id',
    access: 'operator',
    isTool: false,
    input: ({ operatorJob }) => ({ job_id: operatorJob }),
  },
  find_agents: { route: 'GET /api/v1/admin/agents', access: 'operator', isTool: false },
  operator_suspend_agent: {
    route: 'POST /api/v1/admin/agents/:agent_id/suspend',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({ ...(await childOfBuyer(scene, 'buyer')), note: 'Fraud.' }),
  },
  operator_resume_agent: {
    route: 'POST /api/v1/admin/agents/:agent_id/resume',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({ ...(await childOfBuyer(scene, 'buyer')), note: 'None.' }),
  },
  give_goodwill: {
    route: 'POST /api/v1/admin/agents/:agent_id/goodwill',
    access: 'operator',
    isTool: false,
    input: ({ buyer }) => ({ agent_id: buyer.id, amount: 0.01, reference: randomUUID() }),
  },
  withdrawals_to_review: {
    route: 'GET /api/v1/admin/withdrawals',
    access: 'operator',
    isTool: false,
  },
  review_withdrawal: {
    route: 'POST /api/v1/admin/withdrawals/:withdrawal_id/review',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({ ...(await reviewedOf(scene)), decision: 'deny', note: 'Fraud.' }),
  },
  list_unclaimed_payments: {
    route: 'GET /api/v1/admin/unclaimed',
    access: 'operator',
    isTool: false,
  },
  decide_unclaimed_payment: {
    route: 'POST /api/v1/admin/unclaimed/:deposit_id/decide',
    access: 'operator',
    isTool: false,
    input: async ({ platform }) => ({
      deposit_id: await unclaimedRow(platform, randomUUID()),
      decision: 'refuse',
      evidence: 'None.',
    }),
  },
  run_audit: { route: 'POST /api/v1/admin/audit', access: 'operator', isTool: false },
  find_webhooks: { route: 'GET /api/v1/admin/webhooks', access: 'operator', isTool: false },
  operator_set_webhook: {
    route: 'POST /api/v1/admin/webhooks/:webhook_id',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({ ...(await anyWebhook(scene)), status: 'disabled', note: 'x' }),
  },
  operator_overview: { route: 'GET /api/v1/admin/overview', access: 'operator', isTool: false },
  money_board: { route: 'GET /api/v1/admin/money', access: 'operator', isTool: false },
  mail_reputation: {
    route: 'GET /api/v1/admin/mail-reputation',
    access: 'operator',
    isTool: false,
  },
  operator_machine: { route: 'GET /api/v1/admin/machine', access: 'operator', isTool: false },
  first_steps: { route: 'GET /api/v1/admin/first-steps', access: 'operator', isTool: false },
  queue_status: { route: 'GET /api/v1/admin/queues', access: 'operator', isTool: false },
  rails_status: { route: 'GET /api/v1/admin/rails', access: 'operator', isTool: false },
  operator_find: {
    route: 'GET /api/v1/admin/find',
    access: 'operator',
    isTool: false,
    input: ({ buyer }) => ({ query: buyer.username }),
  },
  list_audit_log: { route: 'GET /api/v1/admin/audit-log', access: 'operator', isTool: false },
  list_jobs: { route: 'GET /api/v1/admin/jobs', access: 'operator', isTool: false },
  retry_job: {
    route: 'POST /api/v1/admin/jobs/:job_id/retry',
    access: 'operator',
    isTool: false,
    input: async ({ platform }) => ({ job_id: await heldJob(platform) }),
  },
  list_faults: { route: 'GET /api/v1/admin/faults', access: 'operator', isTool: false },
  proxy_sources: { route: 'GET /api/v1/admin/proxy/sources', access: 'operator', isTool: false },
  products_to_review: { route: 'GET /api/v1/admin/products', access: 'operator', isTool: false },
  review_product: {
    route: 'POST /api/v1/admin/products/:product_id/review',
    access: 'operator',
    isTool: false,
    input: async ({ platform, seller }) => {
      const { id } = await platform.product(seller, { active: false });
      return { product_id: id, decision: 'suspend' };
    },
  },
};
