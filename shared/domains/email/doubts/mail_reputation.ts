import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Type } from '../../../kernel/schema.ts';
import { field, view } from '../../../kernel/view.ts';
import { rows } from '../../../platform/rows.ts';
import { METERED } from '../../wallet/charge.ts';

const PROVIDERS_MAX = 100;
const DOUBTS_MAX = 100;

const PROVIDER = view({
  provider: field.orNull(field.text('The provider; null: not known.')),
  replies: field.whole('Replies about mailboxes.'),
  refused: field.whole('Mailboxes refused.'),
  doubted: field.whole('Refusals given back.'),
});
const DOUBT = view({
  machine: field.text('Address of the mail host.'),
  provider: field.orNull(field.text('Its provider; null: not known.')),
  for_all: field.flag('false: only one tree of agents asked for them.'),
  mailboxes: field.whole('Mailboxes refused in a row.'),
  began_at: field.time('Beginning of the doubt.'),
  ends_at: field.time('End of the doubt, an hour later.'),
  refunded: field.amount('Charges given back.'),
});

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
    providers: Type.Array(PROVIDER.schema, {
      maxItems: PROVIDERS_MAX,
      description: 'Providers, that with the most replies first.',
    }),
    doubts: Type.Array(DOUBT.schema, {
      maxItems: DOUBTS_MAX,
      description: 'Doubts of the last week, the newest first.',
    }),
  }),

  async handle({ db }) {
    const providers = await rows(
      db,
      PROVIDER.columns,
      `select provider, count(*)::int as replies, count(*) filter (where refused)::int as refused,
              count(*) filter (where refunded)::int as doubted
         from mail_reply where asked_at > now() - interval '1 day'
        group by provider order by count(*) desc, provider limit ${PROVIDERS_MAX}`,
    );
    const doubts = await rows(
      db,
      DOUBT.columns,
      `select machine, provider, root_id is null as for_all, mailboxes, began_at, ends_at,
              (select count(*) * ${METERED.email.unitPrice} from mail_reply r
                where r.machine = d.machine and r.refunded
                  and (d.root_id is null or r.root_id = d.root_id)
                  and r.asked_at >= d.since and r.asked_at < d.ends_at)::bigint as refunded
         from mail_doubt d where began_at > now() - interval '7 days'
        order by id desc limit ${DOUBTS_MAX}`,
    );
    return { providers, doubts: doubts.map(DOUBT.show) };
  },
});
