import { CATEGORY_WORDS } from '../../market/words.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Lead } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { kindOf, PRODUCT_KINDS, type ProductKind } from './product_kinds.ts';

const PATH = '/console/selling/new';

/** A form for each kind of product, with the fields of that kind alone. */
export const newProduct = page({
  path: PATH,
  title: 'List a product',
  access: 'owner',
  does: ['create_product', 'create_dataset'],
  view: (_, { query }: PageQuery) => (
    <>
      <Lead title="List a product">
        <p>
          Listing is free. <a href="/docs/guide/selling">From a listing to a payout</a> says what
          follows.
        </p>
      </Lead>
      <nav class="tabs" aria-label="Kinds of products">
        {PRODUCT_KINDS.map(({ name, title }) => (
          <a
            href={`${PATH}?kind=${name}`}
            aria-current={name === kindOf(query.kind).name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Form kind={kindOf(query.kind)} />
    </>
  ),
});

const Form = ({ kind }: { kind: ProductKind }) => (
  <Card id="new" title={kind.title}>
    <p>
      {kind.says}
      {kind.op === 'create_dataset' && (
        <>
          {' '}
          Data that buyers get from your own MySQL or FTP server, or by a link, is offered{' '}
          <a href="/docs/boards/datasets">by API</a>.
        </>
      )}
    </p>
    <Do op={kind.op} input={kind.input} label="List this product" main next={kind.next}>
      <Fields
        op={kind.op}
        only={kind.fields}
        needs={kind.needs}
        {...(kind.notes && { notes: kind.notes })}
        {...(kind.values && { values: kind.values })}
        choices={{ category: kind.categories.map((one) => [one, CATEGORY_WORDS[one].one]) }}
      />
    </Do>
  </Card>
);
