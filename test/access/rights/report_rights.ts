import type { Right } from './right.ts';
import type { Scene } from '../scene.ts';

/** An agent that only the buyer sees: itself. */
export const ofBuyer = {
  input: ({ buyer }: Scene) => ({ agent_id: buyer.id }),
  answers: { seller: 'not_found', outsider: 'not_found' },
  object: 'agent_id',
};

/** Sums of what a tree spent and earned, and its calls. */
export const REPORT_RIGHTS: Readonly<Record<string, Right>> = {
  spend_report: {
    route: 'GET /api/v1/wallet/spend',
    access: 'read',
    also: { 'an agent': ofBuyer },
  },
  list_requests: {
    route: 'GET /api/v1/requests',
    access: 'read',
    also: { 'an agent': ofBuyer },
  },
  request_costs: {
    route: 'GET /api/v1/requests/costs',
    access: 'read',
    also: { 'an agent': ofBuyer },
  },
  set_call_alert: {
    route: 'PUT /api/v1/requests/alert',
    access: 'owner',
    input: () => ({ errors_percent: 50 }),
    isTool: false,
  },
  get_call_alert: {
    route: 'GET /api/v1/requests/alert',
    access: 'read',
    isTool: false,
  },
  sales_report: {
    route: 'GET /api/v1/wallet/sales',
    access: 'read',
    also: { 'an agent': ofBuyer },
  },
};
