import { CHAINS, type ChainRail } from '../../../../shared/domains/deposits/chain/networks.ts';
import type { AnswerOf } from '../../answers.ts';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Once } from '../../parts/message.tsx';
import { Qr } from '../../parts/qr.tsx';
import { Copy, wordsOf } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';

type Method = AnswerOf<'get_wallet'>['deposit_methods'][number];

/** The operation, and its field, that finds a payment that was sent. */
const FOUND_BY: Readonly<Record<ChainRail, readonly [string, string]>> = {
  solana: ['solana_verify', 'tx_id'],
  algorand: ['algo_verify_deposit', 'tx_id'],
  tron: ['tron_verify', 'tx_id'],
  base: ['evm_verify', 'tx_hash'],
  arbitrum: ['evm_verify', 'tx_hash'],
  ethereum: ['evm_verify', 'tx_hash'],
};
export const FINDS = [...new Set(Object.values(FOUND_BY).map(([op]) => op))];

/** The operation that gives an agent its own address. */
const ADDRESS_BY: Partial<Record<ChainRail, string>> = {
  tron: 'tron_info',
  base: 'evm_info',
  arbitrum: 'evm_info',
  ethereum: 'evm_info',
};

/** Instructions for a rail other than cards: what to send, where to, and with which reference. */
export function ChainWay({ method }: { method: Method }) {
  const { rail } = method;
  if (!(rail in CHAINS)) {
    return (
      <p>
        Programs pay each call as they make it, from a wallet and without an account:{' '}
        <a href="/docs/rails/x402">how x402 works</a>. It adds nothing to this balance.
      </p>
    );
  }
  const chain = rail as ChainRail;
  const address = ADDRESS_BY[chain];
  return (
    <>
      <p>
        Send {CHAINS[chain].assets.map(({ sign }) => sign).join(' or ')} on {wordsOf(rail)} (
        {method.network}), and nothing else: anything else is lost.
      </p>
      {address === undefined ? (
        <ByNote method={method} />
      ) : (
        <Once id="address">
          <ByAddress rail={rail} op={address} />
        </Once>
      )}
      <Sent rail={chain} />
    </>
  );
}

const Address = ({ text }: { text: string }) => (
  <>
    <Copy text={text} />
    <Qr text={text} label={`The address ${text}`} />
  </>
);

function ByNote({ method: { address, reference } }: { method: Method }) {
  return (
    <>
      <p>To this address, which everybody pays to:</p>
      {address && <Address text={address} />}
      {reference && (
        <>
          <p>
            <strong>Put this text in the note or memo of the payment.</strong> Without it nobody
            knows that it is yours:
          </p>
          <Copy text={reference} />
        </>
      )}
    </>
  );
}

/** The common part of evm_info and tron_info. */
interface DepositNetwork {
  readonly network: string;
  readonly address: string | null;
  readonly own: boolean;
}

function ByAddress({ rail, op }: { rail: string; op: string }) {
  const { done } = useShown();
  const isAsked = done?.operation === op && done.answer !== undefined;
  if (!isAsked) return <Do op={op} label="Show my address" main />;
  const { networks } = done.answer as { networks: readonly DepositNetwork[] };
  const { address, own } = networks.find(({ network }) => network === rail) ?? {};
  if (address && own) {
    return (
      <>
        <p>To this address, which is yours alone. It stays the same.</p>
        <Address text={address} />
      </>
    );
  }
  return (
    <p>
      Nobody has an address of their own here. Your agent links the wallet that you pay from by
      link_wallet, or pays by the contract that {op} names: what is sent from another wallet, or to
      the contract as such, cannot be credited.
    </p>
  );
}

function Sent({ rail }: { rail: ChainRail }) {
  const [op, field] = FOUND_BY[rail];
  return (
    <details>
      <summary>Paid, but not credited yet?</summary>
      <Do op={op} input={op === 'evm_verify' ? { network: rail } : {}} label="Find the payment">
        <Fields op={op} only={[field]} />
      </Do>
    </details>
  );
}
