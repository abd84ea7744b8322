import { expect } from 'chai';

import { OPERATOR_PAGES } from '../../../api/console/operator/pages.ts';
import { OWNER_PAGES } from '../../../api/console/owner/pages.ts';
import type { Page } from '../../../api/console/page.ts';
import { childOf } from '../../agents/child.ts';
import type { TestPlatform } from '../../harness.ts';
import { openWithStripe, type PlatformWithStripe } from '../../sandbox/stripe_platform.ts';
import { operator, owner, PASSWORD, type BrowserLike } from '../browser_like.ts';

describe('a fresh proof', () => {
  let opened: PlatformWithStripe;
  let platform: TestPlatform;
  before(async () => {
    opened = await openWithStripe();
    ({ platform } = opened);
  });
  after(() => opened.close());

  const growOld = () =>
    platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);

  it('within ten minutes is wanted by these, which are all that a session alone does not do', async () => {
    const { browser } = await owner(platform);
    const admin = await operator(platform);
    await growOld();
    const asks = async (one: BrowserLike, path: string) => {
      const { status, text } = await one.post(path, {});
      return status === 403 && text.includes('Prove that it is you');
    };
    for (const name of OF_OWNERS) {
      expect(await asks(browser, `/console/do/${name}`), name).to.equal(true);
    }
    for (const name of OF_OPERATORS) {
      expect(await asks(admin, `/admin/do/${name}`), name).to.equal(true);
    }
    for (const name of operationsOf(OWNER_PAGES)) {
      const isWanted = [...OF_OWNERS, ...SOMETIMES].includes(name);
      if (!isWanted) expect(UNPROVEN_OF_OWNERS, 'decide whether it needs a proof').to.include(name);
      if (!isWanted) expect(await asks(browser, `/console/do/${name}`), name).to.equal(false);
    }
    expect(operationsOf(OPERATOR_PAGES)).to.have.members([
      ...OF_OPERATORS,
      ...UNPROVEN_OF_OPERATORS,
    ]);
  });
  const operationsOf = (pages: readonly Page[]) => [
    ...new Set(pages.flatMap(({ does }) => does ?? [])),
  ];

  it('is wanted before a suspended agent goes on, and not before one is suspended', async () => {
    const { browser, agent } = await owner(platform);
    const child = await childOf(platform, agent);
    await growOld();
    const agent_id = String(child.id);
    const suspended = await browser.post('/console/do/suspend_agent', { agent_id });
    expect(suspended.status).to.equal(303);
    const statusOf = async () =>
      (await platform.query('select status from agent where id = $1', [child.id]))[0].status;
    expect(await statusOf()).to.equal('suspended');
    const asked = await browser.post('/console/do/resume_agent', { agent_id });
    expect([asked.status, await statusOf()]).to.deep.equal([403, 'suspended']);
    const proven = { agent_id, _secret: PASSWORD };
    expect((await browser.post('/console/do/resume_agent', proven)).status).to.equal(303);
    expect(await statusOf()).to.equal('active');
  });

  it('is wanted before a card is charged without asking, and not before that stops', async () => {
    const { browser, agent } = await owner(platform, { usd: 20 });
    await platform.query(
      `insert into saved_card (root_id, customer_id, method_id, brand, last4)
       values ($1, 'cus_x', 'pm_x', 'visa', '4242')`,
      [agent.id],
    );
    await growOld();
    const set = async (fields: Record<string, string>) => {
      const { status, text } = await browser.post('/console/do/set_auto_recharge', fields);
      return status === 403 && text.includes('Prove that it is you');
    };
    const isOn = async () =>
      (await platform.request('GET /api/v1/wallet/auto-recharge', { key: agent.key })).body.enabled;
    for (const enabled of ['true', 'TRUE', '1', ' true', '']) {
      expect(await set({ enabled, amount: '5' }), enabled).to.equal(true);
    }
    expect(await set({ amount: '100' }), 'the switch left as it is').to.equal(true);
    expect(await isOn()).to.equal(false);
    await set({ enabled: 'true', amount: '5', _secret: PASSWORD });
    expect(await isOn()).to.equal(true);
    await growOld();
    expect(await set({ enabled: 'false' })).to.equal(false);
    expect(await isOn()).to.equal(false);
  });
});

const OF_OWNERS = [
  'withdraw',
  'create_key',
  'rotate_key',
  'set_proxy_addresses',
  'spawn_agent',
  'set_policy',
  'resume_agent',
  'update_connection',
  'create_webhook',
  'rotate_webhook_secret',
];
const OF_OPERATORS = [
  'decide_dispute',
  'decide_task_dispute',
  'decide_labor_appeal',
  'review_withdrawal',
  'decide_unclaimed_payment',
  'give_goodwill',
  'operator_resume_agent',
];
/** Operations that need a proof by what their form says. */
const SOMETIMES = [
  'set_auto_recharge',
  'update_webhook',
  'task_post',
  'decide_approval',
  'purchase_product',
];
/** Nothing of these raises what can be spent or can leave, or sends data elsewhere. */
const UNPROVEN_OF_OWNERS: readonly string[] = [
  'sandbox_advance',
  'set_call_alert',
  'claim_deposit',
  'add_stock',
  'algo_verify_deposit',
  'cancel_approval',
  'cancel_labor_task',
  'cancel_withdrawal',
  'confirm_order',
  'confirm_orders',
  'create_dataset',
  'create_product',
  'delete_email_file',
  'delete_webhook',
  'deliver_labor_task',
  'dispute_order',
  'evm_info',
  'evm_verify',
  'get_vault_item',
  'judge_labor_claim',
  'labor_appeal',
  'labor_heartbeat',
  'labor_release',
  'pause_labor_task',
  'refund_order',
  'replay_webhook',
  'respond_dispute',
  'review_order',
  'answer_review',
  'revoke_connection',
  'revoke_key',
  'send_message',
  'set_confirm_rule', // Its owner can confirm each of these orders without a proof.
  'set_goods_check', // As set_confirm_rule.
  'solana_verify',
  'stripe_topup',
  'suspend_agent',
  'take_labor_task',
  'task_accept_bid',
  'task_approve',
  'task_cancel',
  'task_dispute',
  'task_give_back',
  'task_reject',
  'task_replace_worker',
  'task_request_revision',
  'task_withdraw_bid',
  'test_webhook',
  'tron_info',
  'tron_verify',
  'update_product',
  'validate_email_file', // $200 at most, to the platform itself, for a list of the owner's.
  'withdraw_dispute',
];
const UNPROVEN_OF_OPERATORS = [
  'moderate_review', // It can be taken back.
  'operator_suspend_agent',
  'refresh_proxies',
  'retry_job',
  'review_product',
  'run_audit',
];
