import { operation } from '../../kernel/operation.ts';
import { CountedList, pageAfter, paged, pageOf, SORTED_MAX } from '../../kernel/paging.ts';
import { Id, Input, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { namesOf, rows } from '../../platform/rows.ts';
import { compareNames } from '../../kernel/text.ts';
import { KEY_COLUMNS, KEY_WORKS, type ApiKey } from './agents.ts';
import { visibleAgent } from './tree/below.ts';
import { KeyView, viewOf } from './own_keys.ts';

const STATUSES = ['working', 'ended'] as const;
const SORTS = ['newest', 'oldest', 'name', 'used_desc', 'used_asc'] as const;

export const listKeys = operation({
  name: 'list_keys',
  title: 'List keys',
  summary:
    "Lists the agent's API keys, newest first, ended ones too, with the hour of their last use. " +
    'The keys are not shown.',
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/agent/keys',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('An agent below; you if absent.')),
    status: Type.Optional(OneOf(STATUSES, 'Only these: ended are revoked or expired.')),
    sort: Type.Optional(OneOf(SORTS, 'Sorts the newest 1 000.')),
    ...Paging,
  }),
  output: CountedList('KeyList', 'keys', KeyView.schema),

  async handle(tx, { agent_id, status, sort, ...paging }) {
    const agentId = await visibleAgent(tx, agent_id);
    const find = (before: string, limit: number) =>
      rows(
        tx.db,
        KEY_COLUMNS,
        `select ${namesOf(KEY_COLUMNS)} from api_key k
          where agent_id = $1 and id < $2::bigint
            and ($4::boolean is null or (${KEY_WORKS}) = $4) order by id desc limit $3`,
        [agentId, before, limit, status ? status === 'working' : null],
      );
    const all = sort && (await find(pageOf({}).before, SORTED_MAX));
    const counted = all && { total_count: all.length };
    if (all && sort !== 'newest') {
      const { page: keys, rest } = pageAfter(all.toSorted(COMPARE[sort]), paging);
      return { keys: keys.map(viewOf), ...rest, ...counted };
    }
    const page = pageOf(paging);
    const { page: keys, rest } = paged(await find(page.before, page.limit + 1), page);
    return { keys: keys.map(viewOf), ...rest, ...counted };
  },
});

const lastUse = ({ last_used_at: at }: ApiKey): number => at?.getTime() ?? 0;

/** Equal ones stay newest first. */
const COMPARE: Readonly<Record<(typeof SORTS)[number], (a: ApiKey, b: ApiKey) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  name: (a, b) => compareNames(a.name, b.name),
  used_desc: (a, b) => lastUse(b) - lastUse(a),
  used_asc: (a, b) => lastUse(a) - lastUse(b),
};
