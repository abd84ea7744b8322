import { Raw } from 'typeorm';

import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, Output, Paging } from '../kernel/schema.ts';
import { ApiKeys } from './agents.ts';
import { KEY_FIELDS, viewOf } from './own_keys.ts';

export const listKeys = operation({
  name: 'list_keys',
  title: 'List keys',
  summary: "Lists the agent's API keys, newest first, revoked ones too. The keys are not shown.",
  access: 'owner',
  mode: 'read',
  domain: 'agents',
  rest: 'GET /api/v1/agent/keys',
  tool: false,
  input: Input(Paging),
  output: List('keys', Output(KEY_FIELDS)),

  async handle({ db, caller }, input) {
    const page = pageOf(input);
    const rows = await db.find(ApiKeys, {
      where: {
        agentId: caller.agentId,
        id: Raw((id) => `${id} < :before::bigint`, { before: page.before }),
      },
      order: { id: 'desc' },
      take: page.limit + 1,
    });
    const { page: keys, rest } = paged(rows, page);
    return { keys: keys.map(viewOf), ...rest };
  },
});
