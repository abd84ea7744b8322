import type { AnswerOf } from '../answers.ts';
import { Empty, Table } from '../parts/card.tsx';
import { Badge, usdOf, When } from '../parts/text.tsx';

type Reputation = AnswerOf<'mail_reputation'>;

const nameOf = ({ provider }: { readonly provider: string | null }) => provider ?? 'others';

/** The replies of mail hosts by provider, and the hosts that are not believed. */
export function MailHosts({ providers, doubts }: Reputation) {
  if (providers.length === 0) return <Empty>No mail host was asked in the last day.</Empty>;
  return (
    <>
      <Table
        label="Replies of mail hosts in the last day"
        rows={providers}
        columns={[
          { head: 'Provider', cell: nameOf },
          { head: 'Replies', right: true, cell: ({ replies }) => replies },
          { head: 'Refused', right: true, cell: ({ refused }) => refused },
          { head: 'Given back', right: true, cell: ({ doubted }) => doubted },
        ]}
      />
      {doubts.length > 0 && (
        <Table
          label="Hosts that were not believed in the last week"
          rows={doubts}
          columns={[
            { head: 'Host', cell: ({ machine }) => <code>{machine}</code> },
            { head: 'Provider', cell: nameOf },
            {
              head: 'For',
              cell: (one) => (
                <Badge
                  state={one.for_all ? 'all' : 'one account'}
                  {...(one.for_all && { kind: 'owed' as const })}
                />
              ),
            },
            { head: 'Since', cell: ({ began_at }) => <When at={began_at} /> },
            { head: 'Given back', right: true, cell: ({ refunded }) => usdOf(refunded) },
          ]}
        />
      )}
    </>
  );
}
