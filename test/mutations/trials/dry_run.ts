import type { Mutation } from '../mutation.ts';
import { SANDBOX } from './sandbox.ts';

const DRY_RUN = 'shared/composition/invoke/dry_run.ts';
const INVOKE = 'shared/composition/invoke/invoke.ts';
const TESTS = ['test/dry_run/dry_run.test.ts'];

/** A call that is only tried changes nothing and takes nothing; time is moved in a sandbox. */
export const TRIALS: readonly Mutation[] = [
  ...SANDBOX,
  {
    name: 'dry_run_commits',
    file: DRY_RUN,
    from: '      throw new Undone();\n',
    to: '',
    tests: TESTS,
  },
  {
    name: 'dry_run_tells_the_cost_of_what_waits_for_an_owner',
    file: DRY_RUN,
    from: "return answer('wait_for_approval', null, error);",
    to: "return answer('succeed', null, error);",
    tests: TESTS,
  },
  {
    name: 'dry_run_does_not_ask_whether_a_call_can_wait',
    file: DRY_RUN,
    from: 'void (await error.record(tx, { operation: op.name, input }))',
    to: 'void tx',
    tests: ['test/orders/quote_approvals.test.ts'],
  },
  {
    name: 'dry_run_does_not_ask_whether_an_address_can_be_paid_for',
    file: DRY_RUN,
    from: '    await op.prepare?.(tx, input);\n',
    to: '',
    tests: TESTS,
  },
  {
    name: 'dry_run_in_another_spelling_spends',
    file: 'api/arguments/call_arguments.ts',
    from: "  if (value === true || value === 'true') return true;",
    to: '  if (value === true) return true;\n  if (value === "true") return false;',
    tests: TESTS,
  },
  {
    name: 'dry_run_without_a_key_takes_the_payment',
    file: INVOKE,
    from: 'if (isWithoutKey && (!sent || body.isDryRun))',
    to: 'if (isWithoutKey && !sent)',
    tests: ['test/x402/dry_run.test.ts'],
  },
  {
    name: 'dry_run_takes_the_payment',
    file: INVOKE,
    from: 'if (body.isDryRun) return dryRun(',
    to: 'if (body.isDryRun && !sent) return dryRun(',
    tests: ['test/x402/dry_run.test.ts'],
  },
  {
    name: 'dry_run_beside_a_call_of_a_tool_is_ignored',
    file: 'api/mcp/guard.ts',
    from: "if (!new URLSearchParams(querystring).has('dry_run')) return;",
    to: 'if (querystring !== undefined) return;',
    tests: TESTS,
  },
  {
    name: 'dry_run_asks_the_price_of_what_it_has_changed',
    file: DRY_RUN,
    from: 'const price = await most().catch(undefinedIfRefused);',
    to: 'const price = undefined;',
    tests: TESTS,
  },
];
