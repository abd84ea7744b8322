import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Time, Type } from '../../../kernel/schema.ts';
import { toUsd } from '../../../kernel/money.ts';
import { column, nullable, rows } from '../../../platform/rows.ts';
import { METERED } from '../../wallet/charge.ts';

const PROVIDERS_MAX = 100;
const DOUBTS_MAX = 100;

export const mailReputation = operation({
  name: 'mail_reputation',
  title: 'Show the replies of mail hosts',
  summary:
    'Operators: shows the replies of mail hosts of the last day by provider, and the hosts that ' +
    'are not believed because they refuse every mailbox and postmaster. Ask from another address, ' +
    'or not at all, where many are refused.',
  access: 'operator',
  mode: 'read',
  reads: { costly: true },
  rest: 'GET /api/v1/admin/mail-reputation',
  bindings: { tool: false },
  input: Input({}),
  output: Output('MailReputation', {
    providers: Type.Array(
      Output({
        provider: Nullable(Type.String({ description: 'The provider; null: not known.' })),
        replies: Type.Integer({ description: 'Replies about mailboxes.' }),
        refused: Type.Integer({ description: 'Mailboxes refused.' }),
        doubted: Type.Integer({ description: 'Refusals given back.' }),
      }),
      { maxItems: PROVIDERS_MAX, description: 'Providers, that with the most replies first.' },
    ),
    doubts: Type.Array(
      Output({
        machine: Type.String({ description: 'Address of the mail host.' }),
        provider: Nullable(Type.String({ description: 'Its provider; null: not known.' })),
        for_all: Type.Boolean({ description: 'false: only one tree of agents asked for them.' }),
        mailboxes: Type.Integer({ description: 'Mailboxes refused in a row.' }),
        began_at: Time('Beginning of the doubt.'),
        ends_at: Time('End of the doubt, an hour later.'),
        refunded: Amount('Charges given back.'),
      }),
      { maxItems: DOUBTS_MAX, description: 'Doubts of the last week, the newest first.' },
    ),
  }),

  async handle({ db }) {
    const providers = await rows(
      db,
      {
        provider: nullable(column.text),
        replies: column.int,
        refused: column.int,
        doubted: column.int,
      },
      `select provider, count(*)::int as replies, count(*) filter (where refused)::int as refused,
              count(*) filter (where refunded)::int as doubted
         from mail_reply where asked_at > now() - interval '1 day'
        group by provider order by count(*) desc, provider limit ${PROVIDERS_MAX}`,
    );
    const doubts = await rows(
      db,
      {
        machine: column.text,
        provider: nullable(column.text),
        for_all: column.boolean,
        mailboxes: column.int,
        began_at: column.time,
        ends_at: column.time,
        refunded: column.int,
      },
      `select machine, provider, root_id is null as for_all, mailboxes, began_at, ends_at,
              (select count(*) from mail_reply r
                where r.machine = d.machine and r.refunded
                  and (d.root_id is null or r.root_id = d.root_id)
                  and r.asked_at >= d.since and r.asked_at < d.ends_at)::int as refunded
         from mail_doubt d where began_at > now() - interval '7 days'
        order by id desc limit ${DOUBTS_MAX}`,
    );
    return {
      providers,
      doubts: doubts.map((one) => ({
        ...one,
        began_at: one.began_at.toISOString(),
        ends_at: one.ends_at.toISOString(),
        refunded: toUsd(METERED.email.unitPrice * BigInt(one.refunded)),
      })),
    };
  },
});
