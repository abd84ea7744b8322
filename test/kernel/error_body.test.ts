import { expect } from 'chai';

import { errorBody } from '../../shared/composition/error_body.ts';
import { CODES, Refusal, type RefusalCode } from '../../shared/kernel/refusal.ts';

const REGISTER = { tool: 'register_agent', route: 'POST /api/v1/agent/register' };
const WALLET = { tool: 'get_wallet', route: 'GET /api/v1/wallet', scope: 'read' };
const CLAIM = {
  tool: 'claim_deposit',
  route: 'POST /api/v1/wallet/deposits/claims',
  scope: 'buy',
};
const LINK = { tool: 'link_wallet', route: 'POST /api/v1/wallets/link', scope: 'buy' };
const DEPOSITS = { tool: 'list_deposits', route: 'GET /api/v1/wallet/deposits', scope: 'read' };
const SEARCH = {
  tool: 'search_assets',
  route: 'GET /api/v1/products/search',
  scope: 'read',
};
const TASKS = { tool: 'task_mine', route: 'GET /api/v1/tasks/mine' };
const TASK = { tool: 'get_task', route: 'GET /api/v1/tasks/:task_id' };
const LABOR_TASK = { tool: 'get_labor_task', route: 'GET /api/v1/labor/:task_id' };
const LABOR = { tool: 'list_labor_tasks', route: 'GET /api/v1/labor' };
const PREVIEW = {
  tool: 'prepare_purchase_payload',
  route: 'POST /api/v1/orders/preview',
  scope: 'read',
};
const ME = { tool: 'agent_me', route: 'GET /api/v1/agent/me' };

/** The codes whose callers can do something: status, retryable, and what helps. */
const HELPED = {
  authentication_required: [401, false, REGISTER],
  invalid_key: [401, false, REGISTER],
  insufficient_scope: [403, false, ME],
  insufficient_balance: [402, false, WALLET],
  payment_required: [402, false, REGISTER],
  out_of_stock: [400, true, SEARCH],
  product_unavailable: [400, false, SEARCH],
  daily_limit_exceeded: [402, true, WALLET],
  self_purchase: [400, false, SEARCH],
  forbidden: [403, false, ME],
  deposit_invalid: [422, false, WALLET],
  deposit_unbound: [409, false, LINK, CLAIM, WALLET],
  already_credited: [409, false, DEPOSITS],
  signature_invalid: [422, false, LINK],
  tx_limit_exceeded: [402, false, WALLET],
  product_type_not_allowed: [403, false, ME],
  seller_not_allowed: [403, false, ME],
  agent_suspended: [403, false, ME],
  price_changed: [409, false, PREVIEW],
  hash_mismatch: [422, false, TASK],
  verification_failed: [422, false, TASK, LABOR_TASK],
  ambiguous_submission: [409, false, TASKS],
  claim_expired: [409, false, LABOR],
  rail_unavailable: [503, false, WALLET],
} as const;

describe('the body of an error', () => {
  for (const [code, [status, retryable, ...actions]] of Object.entries(HELPED)) {
    it(`of ${code} names the tool and the route that help`, () => {
      const refusal = new Refusal(code as RefusalCode, 'No.', { a: 1 });
      expect(refusal.status).to.equal(status);
      expect(errorBody(refusal, 'r1')).to.equal(
        `{"success":false,"error":"${code}","message":"No.","details":{"a":1},` +
          `"retryable":${retryable},"next_actions":${JSON.stringify(actions)},` +
          `"request_id":"r1"}`,
      );
    });
  }

  it('says that a call may be repeated only where its Idempotency-Key stays free for that', () => {
    const codes = Object.keys(CODES) as RefusalCode[];
    const bound = codes.filter((code) => new Refusal(code, 'No.').bindsKey);
    expect(bound.filter((code) => CODES[code].retryable)).to.deep.equal([]);
    const free = codes.filter((code) => !bound.includes(code));
    const status = (code: RefusalCode) => CODES[code].status;
    expect(free).to.include.members([
      ...codes.filter((code) => [401, 402, 409, 429].includes(status(code)) || status(code) >= 500),
      'out_of_stock',
    ]);
    expect(bound).to.include.members(['not_found', 'validation_error', 'product_unavailable']);
  });

  it('names no operation for any other code', () => {
    const others = (Object.keys(CODES) as RefusalCode[]).filter((code) => !(code in HELPED));
    expect(others).to.include.members(['not_found', 'validation_error', 'internal_error']);
    for (const code of others) {
      const { next_actions } = JSON.parse(errorBody(new Refusal(code, 'No.'), 'r1'));
      expect(next_actions, code).to.deep.equal([]);
    }
  });
});
