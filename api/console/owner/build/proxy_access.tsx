import type { AnswerOf } from '../../answers.ts';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { When, Words } from '../../parts/text.tsx';

/** Addresses whose programs use the rotating proxies without a password, and the last refusal. */
export function ProxyAccess({ access }: { access: AnswerOf<'get_proxy_access'> }) {
  const { addresses, last_refusal: refusal } = access;
  return (
    <>
      <p>
        Programs at these addresses need no password, and everybody there buys at your cost. Never
        list an address that you share, such as that of an office or a mobile network.
      </p>
      {refusal && (
        <p>
          Last connection refused, <When at={refusal.at} />: <Words>{refusal.message}</Words>
        </p>
      )}
      <Do op="set_proxy_addresses" label="Save the addresses">
        <Fields op="set_proxy_addresses" values={{ addresses }} />
      </Do>
    </>
  );
}
