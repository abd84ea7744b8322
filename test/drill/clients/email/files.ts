import { FILE_PIECE } from '../../../../shared/domains/email/files/email_file.ts';
import type { Answer } from '../../calls/client.ts';
import type { Step } from '../domain.ts';
import { microsOf } from '../goods.ts';
import type { Trader } from '../trader.ts';
import { costOf, newAddress, PRICE, type Validation } from './validation.ts';

interface AddressFile {
  readonly id: number;
  readonly rows: readonly string[];
  /** Micro-dollars that its calls were told to have charged. */
  paid: number;
}

/** Most files are one child job; each fourth one is two. */
const ROWS_MAX = 30;

/**
 * Files of addresses: each address of one is charged once, however often it stands there and
 * however often the file is validated. `onPaid` gets the micro-dollars of each call.
 */
export function emailFileSteps(trader: Trader, onPaid: (micros: number) => void): Step[] {
  const { agent, client, random, wrong } = trader;
  const uploaded: AddressFile[] = [];
  const validated: AddressFile[] = [];

  async function upload(): Promise<void> {
    const operation = 'upload_email_file';
    const first = random.below(4) === 0 ? FILE_PIECE : 0;
    const addresses = Array.from({ length: first + 2 + random.below(ROWS_MAX) }, () =>
      newAddress(random),
    );
    const rows = [...addresses, random.pick(addresses), random.pick(addresses)];
    const input = { content: ['id,email', ...rows.map((one, n) => `${n},${one}`)].join('\n') };
    const key = trader.newKey(operation);
    await trader.perform({ agent, operation, input, key }, ({ status, body }) => {
      if (status !== 200) return wrong(`a file of addresses was refused: ${body.error}`);
      const sent = `${rows.length} rows, ${addresses.length} addresses`;
      const counted = `${body.row_count} rows, ${body.addresses} addresses`;
      if (counted !== sent) wrong(`a file of ${sent} has ${counted}`);
      uploaded.push({ id: body.file_id, rows, paid: 0 });
    });
  }

  async function validate(): Promise<void> {
    const file = uploaded.shift();
    if (!file) return;
    const operation = 'validate_email_file';
    const key = trader.newKey(operation);
    const call = { agent, operation, input: { file_id: file.id }, key };
    await trader.perform(call, ({ status, body }: Answer) => {
      const isPoor = status === 402 && body.error === 'insufficient_balance';
      const price = new Set(file.rows).size * PRICE;
      if (isPoor && (trader.wallet.micros < price || trader.hasDoubts())) return;
      if (status !== 200) return wrong(`file ${file.id} was not validated: ${body.error}`);
      const micros = microsOf(body.charged);
      file.paid += micros;
      onPaid(micros);
      // Addresses that name servers left unknown are asked for by another call.
      (body.results.unknown > 0 ? uploaded : validated).push(file);
    });
  }

  async function read(): Promise<void> {
    if (validated.length === 0) return;
    const file = random.pick(validated);
    const operation = 'get_email_results';
    const call = { agent, operation, input: { file_id: file.id }, repeatable: true };
    const { body } = (await client(call))!;
    const found = body.rows as { cells: string[]; result: Validation }[];
    const addresses = found.map(({ cells }) => cells[1]!);
    let sum = 0;
    found.forEach(({ result }, n) => {
      const isRepeat = addresses.indexOf(addresses[n]!) < n;
      if (!isRepeat) sum += costOf(addresses[n]!, result, wrong);
      else if (result.charged !== 0) wrong(`file ${file.id} charges ${addresses[n]} again`);
    });
    if (String(addresses) !== String(file.rows)) {
      wrong(`file ${file.id} has other rows than it was sent with`);
    }
    if (sum !== file.paid) wrong(`file ${file.id} cost ${file.paid}, its results ${sum}`);
  }

  return [
    { weight: 1, run: upload },
    { weight: 1, run: validate },
    { weight: 1, run: read },
  ];
}
