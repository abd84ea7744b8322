import type { AnswerOf } from '../../answers.ts';
import { Card, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, usdOf, When, wordsOf } from '../../parts/text.tsx';
import { CHAIN_RAILS } from '../../../../shared/domains/deposits/chain/networks.ts';

interface MissingPaymentProps {
  methods: AnswerOf<'get_wallet'>['deposit_methods'];
  claims: AnswerOf<'list_deposit_claims'>['claims'];
}

/** A payment by chain that had no reference, and what became of claims on such payments. */
export function MissingPayment({ methods, claims }: MissingPaymentProps) {
  const on = methods.filter(({ enabled }) => enabled).map(({ rail }) => rail);
  const rails = CHAIN_RAILS.filter((rail) => on.includes(rail));
  if (rails.length === 0) return null;
  return (
    <Card id="missing" title="A payment is missing">
      <p>
        One by chain without your reference is credited to nobody. Link the wallet that paid, or, if
        an exchange sent it, say here what shows that it is yours.
      </p>
      {claims.length > 0 && (
        <Table
          label="Claims"
          rows={claims}
          columns={[
            { head: 'Payment', cell: ({ tx_id }) => <code>{tx_id}</code> },
            { head: 'Value', right: true, cell: ({ usd }) => (usd === null ? '' : usdOf(usd)) },
            { head: 'Claimed', wide: true, cell: ({ created_at }) => <When at={created_at} /> },
            {
              head: 'State',
              cell: ({ status, note }) => (
                <>
                  <Badge state={status} /> {note}
                </>
              ),
            },
          ]}
        />
      )}
      <Do op="claim_deposit" label="Claim it">
        <Fields
          op="claim_deposit"
          only={['rail', 'tx_id', 'statement']}
          choices={{ rail: rails.map((rail) => [rail, wordsOf(rail)] as const) }}
        />
      </Do>
    </Card>
  );
}
