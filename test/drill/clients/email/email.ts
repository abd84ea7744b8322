import { randomUUID } from 'node:crypto';

import { PIECE_MAX } from '../../../../shared/domains/email/sale.ts';
import type { Answer } from '../../calls/client.ts';
import { HOSTILE_DOMAINS } from '../../outside.ts';
import type { Random } from '../../random.ts';
import type { Domain } from '../domain.ts';
import { isAmongHostile, microsOf } from '../goods.ts';
import { emailFileSteps } from './files.ts';
import { costOf, newAddress, PRICE, type Validation } from './validation.ts';

/** Most batches are one child job; each fourth one is two. */
const BATCH_MAX = 30;

/** An address of a hostile name server. Looking some up takes as long as a look-up may. */
function newHostileAddress(random: Random): string {
  const speed = random.below(4) === 0 ? 'slow' : 'quick';
  return `m@${randomUUID()}.${random.pick(HOSTILE_DOMAINS[speed])}.example`;
}

/** Single addresses, batches and files of them, $0.002 for each that is answered. */
export const email: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, random, wallet, wrong } = trader;
    let paid = 0;

    function notePaid(micros: number): void {
      wallet.micros -= micros;
      paid += micros / PRICE;
    }
    const noteResult = (address: string, validation: Validation) =>
      notePaid(costOf(address, validation, wrong));

    function checkRefusal(units: number, { status, body }: Answer): void {
      const isPoor = status === 402 && body.error === 'insufficient_balance';
      if (isPoor && (wallet.micros < units * PRICE || trader.hasDoubts())) return;
      wrong(`validating ${units} with ${wallet.micros} was refused: ${body.error}`);
    }

    async function validateOne(address = newAddress(random)): Promise<void> {
      const operation = 'validate_email';
      const key = trader.newKey(operation);
      const call = { agent, operation, input: { email: address }, key };
      await trader.perform(call, (answer) =>
        answer.status === 200 ? noteResult(address, answer.body) : checkRefusal(1, answer),
      );
    }

    const validateHostile = () => validateOne(newHostileAddress(random));

    async function validateMany(): Promise<void> {
      const operation = 'validate_emails';
      const first = random.below(4) === 0 ? PIECE_MAX : 0;
      const length = first + 1 + random.below(BATCH_MAX);
      const emails = Array.from({ length }, () => newAddress(random));
      const key = trader.newKey(operation);
      await trader.perform({ agent, operation, input: { emails }, key }, (answer) => {
        if (answer.status !== 200) return checkRefusal(emails.length, answer);
        const { results, charged } = answer.body as { results: Validation[]; charged: number };
        const before = paid;
        emails.forEach((address, n) => noteResult(address, results[n]!));
        if (microsOf(charged) !== (paid - before) * PRICE) wrong(`a batch cost ${charged}`);
      });
    }

    return {
      steps: [
        { weight: 2, run: () => validateOne() },
        { weight: 1, run: validateMany },
        ...emailFileSteps(trader, notePaid),
        ...(isAmongHostile(agent) ? [{ weight: 1, run: validateHostile }] : []),
      ],
      async compare({ database, same }) {
        const [{ units }] = await database.query(
          `select coalesce(sum(units), 0)::int as units from charge
            where agent_id = $1 and service = 'email'`,
          [agent.id],
        );
        same('charges', `addresses that agent ${agent.id} paid`, { found: units, told: paid });
      },
    };
  },
};
