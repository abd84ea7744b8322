import type { AnswerOf } from '../../answers.ts';
import { Card } from '../../parts/card.tsx';
import { When, wordsOf } from '../../parts/text.tsx';
import { ENDINGS, rowsOf } from './order_rows.ts';

type Order = AnswerOf<'get_order'>;

interface BoughtProps {
  order: Order;
  dataset: NonNullable<Order['dataset']>;
  isBought: boolean;
}

/** The version of a dataset that was bought, and the way to it. */
export const Bought = ({ order: found, dataset: { access, ...sold }, isBought }: BoughtProps) => (
  <Card id="dataset" title="Dataset">
    <dl class="pairs">
      <dt>Bought</dt>
      <dd>
        Version {sold.version} of dataset {sold.dataset_id}
      </dd>
      <dt>SHA-256</dt>
      <dd>{sold.sha256 === null ? 'Not known' : <code>{sold.sha256}</code>}</dd>
      <dt>Access</dt>
      <dd>
        {wordsOf(access.status)}
        {access.reason !== null && <>. {access.reason}</>}
      </dd>
      {access.ends_at !== null && (
        <>
          <dt>Access ends</dt>
          <dd>
            <When at={access.ends_at} />
          </dd>
        </>
      )}
      {isBought && access.status === 'ready' && (
        <>
          <dt>Get it</dt>
          <dd>
            <Way order={found} type={sold.type} />
          </dd>
        </>
      )}
    </dl>
  </Card>
);

function Way({ order: found, type }: { order: Order; type: BoughtProps['dataset']['type'] }) {
  if (type !== 'json') return <>Your agent calls access_dataset.</>;
  if (found.revealed_at === null) return <>Open the vault first. It can be returned until then.</>;
  return (
    <>
      {ENDINGS.map((ending) => (
        <>
          <a class="link" href={rowsOf(found.order_id, ending)} download>
            rows.{ending}
          </a>{' '}
        </>
      ))}
    </>
  );
}
