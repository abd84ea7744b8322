import type { AnswerOf } from '../../../answers.ts';
import { Card } from '../../../parts/card.tsx';
import { Do } from '../../../parts/do.tsx';
import { Fields } from '../../../parts/fields.tsx';
import { useShown } from '../../../page_state.ts';
import { UNPAID } from '../orders.tsx';
import { plural, usdOf, visible, When, Words } from '../../../parts/text.tsx';

type Check = AnswerOf<'list_goods_checks'>['goods_checks'][number];
type Verdict = AnswerOf<'list_goods_verdicts'>['goods_verdicts'][number];

/** When an order that passed is paid. */
const paidAfter = ({ amount_max, hours }: Check): string =>
  `an order of up to ${usdOf(amount_max)} whose goods pass is confirmed ` +
  (hours === 0 ? 'at once.' : `${plural(hours, 'hour')} later.`);

interface GoodsCheckProps {
  order: AnswerOf<'get_order'>;
  verdict: Verdict | undefined;
  check: Check | undefined;
}

/** On the page of an order that was bought: what its goods were found to be, and the check. */
export function GoodsCheck({ order: { product_id, dataset, status }, ...found }: GoodsCheckProps) {
  const { refused } = useShown();
  const { verdict, check } = found;
  if (dataset || UNPAID.includes(status)) return null;
  return (
    <Card id="goods" title="Check of goods">
      <div class="inside stack">
        {verdict && <Said verdict={verdict} isOpen={status === 'escrow'} />}
        {check && (
          <>
            <p>On for this product: {paidAfter(check)}</p>
            <CheckText check={check} />
          </>
        )}
        <details open={refused?.operation === 'set_goods_check'}>
          <summary>{check ? 'Change the check' : 'Confirm what passes a check'}</summary>
          <p>
            When the vault of an order of this product is first opened, each delivered item is
            judged. If all pass, the seller is paid by itself. If one fails, the order stays here to
            be disputed. A check cannot tell whether a key works.
          </p>
          <Do op="set_goods_check" input={{ product_id, enabled: true }} label="Save the check">
            <Fields
              op="set_goods_check"
              only={['pattern', 'json_schema', 'amount_max', 'hours']}
              values={valuesOf(check)}
            />
          </Do>
        </details>
        {check && <End check={check} />}
      </div>
    </Card>
  );
}

const valuesOf = (check: Check | undefined) =>
  check
    ? {
        pattern: check.pattern?.content,
        json_schema: check.json_schema?.content,
        amount_max: check.amount_max,
        hours: check.hours,
      }
    : { amount_max: 1, hours: 0 };

/** The verdict of the check on the goods of this order. */
const Said = ({ verdict: { passes, confirms, failures, checked_at }, isOpen }: SaidProps) => (
  <>
    <p>
      <strong>{passes ? 'Passed' : 'Failed'}</strong>, <When at={checked_at} />
      {isOpen && !passes && '. Dispute it before its seller is paid'}
      {passes && !confirms && '. It costs more than the check confirms'}.
    </p>
    {failures.length > 0 && (
      <ul class="lines">
        {failures.map(({ content }) => (
          <li>
            An item <Words>{content}</Words>
          </li>
        ))}
      </ul>
    )}
  </>
);

interface SaidProps {
  verdict: Verdict;
  isOpen: boolean;
}

const CheckText = ({ check: { pattern, json_schema } }: { check: Check }) => (
  <p>
    {pattern ? 'Pattern' : 'JSON Schema'}:{' '}
    <code class="words">{visible((pattern ?? json_schema)!.content)}</code>
  </p>
);

const End = ({ check: { product_id } }: { check: Check }) => (
  <Do op="set_goods_check" input={{ product_id, enabled: false }} label="Delete the check" />
);

/** On the page of orders to check: all checks of an owner. */
export const GoodsChecks = ({ checks }: { checks: readonly Check[] }) => (
  <Card id="goods" title="Confirm what passes a check">
    <p>
      A check judges what was delivered when an agent first opens the vault, and pays the seller of
      what passes. Set one on the page of an order of the product.
      {checks.length === 0 && ' There is none.'}
    </p>
    {checks.length > 0 && (
      <ul class="rows">
        {checks.map((check) => (
          <li>
            <p>
              <a href={`/market/products/${check.product_id}`}>
                #{check.product_id} <Words>{check.title}</Words>
              </a>
              : {paidAfter(check)}
            </p>
            <CheckText check={check} />
            <End check={check} />
          </li>
        ))}
      </ul>
    )}
  </Card>
);
