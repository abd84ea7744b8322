import type { HttpContext, Route } from '../../../http/routes.ts';
import { Refusal } from '../../../../shared/kernel/refusal.ts';
import { csvLine } from '../../../../shared/kernel/terms/csv.ts';
import type { AnswerOf } from '../../answers.ts';
import type { Console } from '../../render.tsx';
import { currentSession, proverOf } from '../../session/current.ts';
import { filterOf, STATEMENT_CSV } from './statement_filter.tsx';

type Statement = AnswerOf<'wallet_statement'>;
type Entry = Statement['entries'][number];

/** Maximum pages in a file; a page has a hundred entries. */
const PAGES_MAX = 100;

const COLUMNS: Readonly<Record<string, (entry: Entry) => string | number | null>> = {
  time: ({ created_at }) => created_at,
  kind: ({ kind }) => kind,
  description: ({ description }) => description,
  object: ({ ref }) => ref.kind,
  object_id: ({ ref }) => ref.id,
  agent_id: ({ agent_id }) => agent_id,
  counterparty_id: ({ counterparty_id }) => counterparty_id,
  amount_usd: ({ amount }) => amount,
  balance_usd: ({ balance_after }) => balance_after,
};

/** The owner's statement as a file, with the same filters as the page. */
export function statementCsvRoute({ context, invoke }: Console): Route {
  const statement = context.operations.get('wallet_statement')!;

  async function read(ctx: HttpContext, cursor: string | null): Promise<Statement> {
    const { requestId, address } = ctx.state;
    const query = Object.fromEntries(new URLSearchParams(ctx.querystring));
    const answer = await invoke(statement, {
      token: undefined,
      prove: proverOf(context, ctx, 'owner'),
      read: () => ({
        input: { limit: 100, ...filterOf(query), ...(cursor && { cursor }) },
        key: undefined,
        waitMs: 0,
      }),
      dropUnknown: false,
      requestId,
      address,
    });
    return JSON.parse(answer.body) as Statement;
  }

  return {
    route: `GET ${STATEMENT_CSV}`,
    async handle(ctx) {
      const session = await currentSession(context, ctx, 'owner', { isPerson: true });
      if (!session) throw new Refusal('authentication_required', 'Sign in first.');
      let file = csvLine(Object.keys(COLUMNS));
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); page += 1) {
        const { entries, next_cursor } = await read(ctx, cursor);
        const cells = Object.values(COLUMNS);
        for (const entry of entries) file += csvLine(cells.map((cell) => cell(entry)));
        cursor = next_cursor;
      }
      if (cursor !== null) file += csvLine(['Not complete: ask for a shorter period.']);
      ctx.status = 200;
      ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
      ctx.set('Content-Disposition', 'attachment; filename="statement.csv"');
      ctx.set('Cache-Control', 'no-store');
      ctx.body = file;
    },
  };
}
