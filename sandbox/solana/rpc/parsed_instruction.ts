import { TOKEN_PROGRAMS, uiAmount } from '../token_account.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MEMO_PROGRAMS = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];

const SYSTEM_TRANSFER = 2;
const TOKEN_TRANSFER = 3;
const TOKEN_TRANSFER_CHECKED = 12;

interface Instruction {
  readonly programId: string;
  readonly addresses: readonly string[];
  readonly bytes: Buffer;
}

/**
 * An instruction as jsonParsed shows it, if it moves money or states a purpose. Undefined: this
 * sandbox shows its bytes instead, as a node does for unknown programs.
 */
export function parsedInstruction(
  { programId, addresses, bytes }: Instruction,
  decimals: (mint: string) => number,
): object | undefined {
  if (MEMO_PROGRAMS.includes(programId)) {
    return { program: 'spl-memo', parsed: bytes.toString('utf8') };
  }
  if (programId === SYSTEM_PROGRAM) {
    if (bytes.length !== 12 || bytes.readUInt32LE(0) !== SYSTEM_TRANSFER) return undefined;
    const [source, destination] = addresses;
    const info = { source, destination, lamports: Number(bytes.readBigUInt64LE(4)) };
    return { program: 'system', parsed: { type: 'transfer', info } };
  }
  const program = TOKEN_PROGRAMS.get(programId);
  if (!program || bytes.length < 9) return undefined;
  const amount = bytes.readBigUInt64LE(1);
  if (bytes[0] === TOKEN_TRANSFER) {
    const [source, destination, authority] = addresses;
    const info = { source, destination, authority, amount: amount.toString() };
    return { program, parsed: { type: 'transfer', info } };
  }
  if (bytes[0] !== TOKEN_TRANSFER_CHECKED) return undefined;
  const [source, mint, destination, authority] = addresses;
  const tokenAmount = uiAmount(amount, decimals(mint!));
  const info = { source, mint, destination, authority, tokenAmount };
  return { program, parsed: { type: 'transferChecked', info } };
}
