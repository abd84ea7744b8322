import type { Mutation } from '../mutation.ts';

const ADVANCE = 'shared/domains/sandbox/sandbox_advance.ts';
const OBJECTS = 'shared/domains/sandbox/waiting_objects.ts';
const TIME = ['test/sandbox/time/sandbox_advance.test.ts'];
const KEYS = ['test/sandbox/time/sandbox_keys.test.ts'];

/** Time is moved where money is play money, by the parties of an object, and for it alone. */
export const SANDBOX: readonly Mutation[] = [
  {
    name: 'time_is_moved_where_money_is_real',
    file: ADVANCE,
    from: 'if (!tx.config.sandbox) {',
    to: 'if (false) {',
    tests: TIME,
  },
  {
    name: 'time_is_moved_by_anybody',
    file: OBJECTS,
    from: '`exists (select from agent where id in (${agents}) and $2::bigint = any (lineage))`',
    to: '`(exists (select from agent where id in (${agents})) and $2::bigint > 0)`',
    tests: TIME,
  },
  {
    name: 'time_is_moved_for_every_order',
    file: OBJECTS,
    from: "where: `id = $1 and status in ('escrow', 'disputed')`",
    to: "where: `$1::bigint > 0 and status in ('escrow', 'disputed')`",
    tests: TIME,
  },
  {
    name: 'deadlines_come_all_at_once',
    file: ADVANCE,
    from: 'us > most ? null : Math.min(Math.ceil(us / TURN_US) * TURN_US, most)',
    to: 'us > most ? null : most',
    tests: TIME,
  },
  {
    name: 'sandbox_starts_beside_real_money',
    file: 'shared/composition/settings.ts',
    from: '    if (real.length === 0) return true;',
    to: '    return true;',
    tests: KEYS,
  },
  {
    name: 'list_beside_real_money_makes_a_sandbox',
    file: 'shared/composition/settings.ts',
    from: 'sandboxedNetworks(text).length > 0 && real.length === 0',
    to: 'sandboxedNetworks(text).length > 0',
    tests: KEYS,
  },
  {
    name: 'key_of_a_sandbox_looks_like_a_real_one',
    file: 'shared/domains/agents/keys.ts',
    from: "`vnx_${sandbox ? TEST : ''}${letters}_",
    to: '`vnx_${sandbox ? letters : letters}_',
    tests: KEYS,
  },
];
