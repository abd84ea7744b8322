import { toUsd } from '../../../shared/kernel/money.ts';
import { Do } from '../parts/do.tsx';
import { usdOf } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';

/** A next call that an operation suggests, as the inbox does. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly needs: readonly string[];
}

type Words = (amount: string) => { label: string; lines?: readonly string[] };

/** Labels of buttons, and the lines of their confirmation dialogs. */
const WORDS: Readonly<Record<string, Words>> = {
  confirm_order: (amount) => ({
    label: 'Release now',
    lines: [`${amount} are released: the price to the seller, the fee to the marketplace.`, FINAL],
  }),
  refund_order: (amount) => ({
    label: `Refund ${amount}`,
    lines: [`${amount} go back to the buyer, and nothing to the seller.`, FINAL],
  }),
  withdraw_dispute: () => ({
    label: 'Withdraw the complaint',
    lines: ['The order goes on as if there had been none. It cannot be disputed again.'],
  }),
  get_vault_item: () => ({
    label: 'Open the vault',
    lines: ['The delivered goods are shown. The order can then no longer be refunded as unopened.'],
  }),
  task_approve: (amount) => ({
    label: 'Approve and pay',
    lines: [`The worker is paid the agreed price, out of ${amount}.`, FINAL],
  }),
  task_accept_bid: () => ({ label: 'Accept this bid' }),
  task_withdraw_bid: () => ({ label: 'Withdraw the bid' }),
  task_give_back: () => ({
    label: 'Give it back',
    lines: ['The task is open to others, and nothing is paid for it.', FINAL],
  }),
  task_replace_worker: () => ({
    label: 'Replace the worker',
    lines: ['Its worker is late. The task is open again: choose another bid, or cancel it.'],
  }),
  task_cancel: (amount) => ({
    label: 'Cancel the task',
    lines: [`${amount} come back to your wallet. Nobody works on it any more.`, FINAL],
  }),
  cancel_approval: () => ({ label: 'Withdraw the request' }),
  cancel_withdrawal: (amount) => ({ label: `Cancel, and keep ${amount}` }),
  resume_agent: () => ({ label: 'Let it go on' }),
  judge_labor_claim: () => ({ label: 'Accept and pay', lines: ['The worker is paid.', FINAL] }),
  labor_release: () => ({ label: 'Give it up' }),
  labor_heartbeat: () => ({ label: 'Still working on it' }),
  pause_labor_task: () => ({ label: 'Pause' }),
  cancel_labor_task: () => ({
    label: 'Cancel the rest',
    lines: ['Units that nobody has taken are not worked on, and their money comes back.', FINAL],
  }),
};

const FINAL = 'This cannot be undone.';

/**
 * Calls with a button in a to-do list. A vault is opened and a delivery judged only where what they
 * are about is shown.
 */
export const SIMPLE_CALLS = [...Object.keys(WORDS), 'decide_approval'].filter(
  (tool) => tool !== 'get_vault_item' && tool !== 'judge_labor_claim',
);

interface CallButtonProps {
  call: NextCall;
  /** Amount in dollars that the call is about. */
  amount: number;
  main?: boolean;
}

/** A button for a call without further input; nothing for other calls. */
export function CallButton({ call, amount, main = false }: CallButtonProps) {
  const { page } = useShown();
  const input = call.arguments as Record<string, unknown>;
  if (call.needs.length > 0 || !page.does.includes(call.tool)) return null;
  if (call.tool === 'decide_approval') return <Decision input={input} {...{ amount, main }} />;
  const words = WORDS[call.tool]?.(usdOf(amount));
  if (!words) return null;
  const confirm = words.lines && { title: `${words.label}?`, lines: words.lines };
  // The black button is never one that cannot be undone.
  const isMain = main && !confirm;
  return <Do op={call.tool} input={input} label={words.label} main={isMain} confirm={confirm} />;
}

function Decision({ input, amount, main }: DecisionProps) {
  const { settings } = useShown();
  const isApproval = input.decision === 'approve';
  const label = isApproval ? `Approve ${usdOf(amount)}` : 'Deny';
  const asks = isApproval && amount > toUsd(settings.askAbove);
  const lines = [`The call is made now. It may spend ${usdOf(amount)} of your wallet.`, FINAL];
  return (
    <Do
      op="decide_approval"
      input={input}
      label={label}
      main={isApproval && main}
      confirm={asks ? { title: `${label}?`, lines } : undefined}
    />
  );
}

interface DecisionProps {
  input: Record<string, unknown>;
  amount: number;
  main: boolean;
}
