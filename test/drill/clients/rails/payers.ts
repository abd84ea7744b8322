import { paidBy } from '../../../x402/signed.ts';
import { countsOf } from '../../calls/history.ts';
import type { Domain } from '../domain.ts';
import { costOf, newAddress, type Validation } from '../email/validation.ts';
import { PAYER_USD } from './chain.ts';
import { nothing } from './nothing.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

const TIMEOUT_MS = 8_000;
/** So that a payment whose fate is not known has lapsed before the drill is over. */
const VALID_SECONDS = 30;

/**
 * Somebody without an account pays by x402 for single calls, and sends each twice at once, at any
 * API, with one payment and until it is answered.
 */
export const payers: Domain = {
  by: 'buyers',
  open(trader, { deployment: { outside, urls }, payments }) {
    const payer = outside.chain?.payers.pop();
    if (!outside.chain || !payer) return nothing;
    const { evm, payTo } = outside.chain;
    const { client, random, wrong, history } = trader;
    const counts = countsOf(history, 'payment by x402');
    const paid: { readonly nonce: string; readonly micros: number }[] = [];
    let spent = 0;

    async function pay(): Promise<void> {
      const about = newAddress(random);
      const micros = random.pick([2_000, 3_000]);
      const terms = { usd: micros / 1e6, seconds: VALID_SECONDS };
      const headers = await paidBy({ payTo }, payer!, terms);
      counts.calls += 1;
      const path = `/x402/api/v1/email/validate/${about}`;
      const answers = [untilAnswered(path, headers), untilAnswered(path, headers)];
      const [{ status, text }, other] = (await Promise.all(answers)) as [Answer, Answer];
      counts.answered += 1;
      if (status === 200 && other.text !== text) wrong(`${text} was repeated as ${other.text}`);
      if (status !== 200) return; // It has expired, on its way or before it was settled.
      const sent = JSON.parse(Buffer.from(headers['payment-signature'], 'base64').toString()) as {
        payload: { authorization: { nonce: string } };
      };
      counts.performed += 1;
      payments.push(headers['payment-signature']);
      paid.push({ nonce: sent.payload.authorization.nonce, micros });
      spent += costOf(about, JSON.parse(text) as Validation, wrong);
    }

    async function untilAnswered(path: string, headers: Record<string, string>): Promise<Answer> {
      for (;;) {
        const answer = await send(path, headers).catch(() => undefined);
        if (answer && isFinal(answer)) return answer;
        await client.pause('payment by x402');
      }
    }

    async function send(path: string, headers: Record<string, string>): Promise<Answer> {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(random.pick(urls) + path, { headers, signal });
      return { status: response.status, text: await response.text() };
    }

    /** Another answer says that it is not known yet, or that nothing was done. */
    function isFinal({ status, text }: Answer): boolean {
      if (status === 200) return true;
      if ([202, 408, 429, 503].includes(status)) return false;
      const { error, details } = JSON.parse(text) as { error: string; details: Details };
      if (error === 'payment_pending') return false;
      const isLate = EXPIRED.includes(details.reason!) && details.charged === false;
      if (isLate) return true;
      if (error !== 'payment_failed') wrong(`a call that was paid for was answered ${text}`);
      return error !== 'payment_failed';
    }

    return {
      steps: [{ weight: 1, run: pay }],
      async compare({ database, same }) {
        const address = payer.address.toLowerCase();
        const sum = paid.reduce((micros, one) => micros + one.micros, 0);
        const found = await database.query(
          `select p.nonce, d.usd::int as micros from x402_payment p
             join deposit d on d.id = p.deposit_id where p.payer = $1 order by 1`,
          [address],
        );
        const told = paid.toSorted((a, b) => (a.nonce < b.nonce ? -1 : 1));
        same('payments by x402', `payments of ${address}`, { found, told });
        const [account] = await database.query(
          `select credit + cash as holds from x402_account a
             join ledger.treasury t on t.id = a.agent_id where a.address = $1`,
          [address],
        );
        same('wallets', `the wallet of ${address}`, {
          found: Number(account?.holds ?? 0),
          told: sum - spent,
        });
        same('payments by x402', `what ${address} has on the chain`, {
          found: Number(await evm.balanceOf(address)),
          told: PAYER_USD * 1e6 - sum,
        });
      },
    };
  },
};

interface Details {
  readonly reason?: string;
  readonly charged?: boolean | null;
}

/** Codes of a payment that was too late, before or while it was settled. */
const EXPIRED = ['expired', 'invalid_exact_evm_payload_authorization_valid_before'];
