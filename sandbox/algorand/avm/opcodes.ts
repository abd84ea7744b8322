/**
 * Encoding of an operand. uint: a number of any length. label: a distance to jump, in two bytes.
 * labels, uints, byteses: a count, and as many of these.
 */
export type Operand =
  | 'u8'
  | 'i8'
  | 'uint'
  | 'uints'
  | 'bytes'
  | 'byteses'
  | 'label'
  | 'labels'
  | 'txn'
  | 'txna'
  | 'global';

interface Opcode {
  readonly code: number;
  readonly name: string;
  /** First version of programs that has it. */
  readonly since: number;
  /** Cost in units of the budget. */
  readonly cost: number;
  readonly operands: readonly Operand[];
}

/**
 * The instructions that this machine has, of the 185 of version 11: code, name, version, cost,
 * operands. Instructions that look at other accounts or assets or make transactions are missing; of
 * cryptography it has only hashes.
 */
const TABLE = `
  00 err 1 1
  01 sha256 1 35
  03 sha512_256 1 45
  08 + 1 1
  09 - 1 1
  0a / 1 1
  0b * 1 1
  0c < 1 1
  0d > 1 1
  0e <= 1 1
  0f >= 1 1
  10 && 1 1
  11 || 1 1
  12 == 1 1
  13 != 1 1
  14 ! 1 1
  15 len 1 1
  16 itob 1 1
  17 btoi 1 1
  18 % 1 1
  19 | 1 1
  1a & 1 1
  1b ^ 1 1
  1c ~ 1 1
  1d mulw 1 1
  1e addw 2 1
  20 intcblock 1 1 uints
  21 intc 1 1 u8
  22 intc_0 1 1
  23 intc_1 1 1
  24 intc_2 1 1
  25 intc_3 1 1
  26 bytecblock 1 1 byteses
  27 bytec 1 1 u8
  28 bytec_0 1 1
  29 bytec_1 1 1
  2a bytec_2 1 1
  2b bytec_3 1 1
  31 txn 1 1 txn
  32 global 1 1 global
  33 gtxn 1 1 u8 txn
  34 load 1 1 u8
  35 store 1 1 u8
  36 txna 2 1 txna u8
  37 gtxna 2 1 u8 txna u8
  38 gtxns 3 1 txn
  39 gtxnsa 3 1 txna u8
  3e loads 5 1
  3f stores 5 1
  40 bnz 1 1 label
  41 bz 2 1 label
  42 b 2 1 label
  43 return 2 1
  44 assert 3 1
  45 bury 8 1 u8
  46 popn 8 1 u8
  47 dupn 8 1 u8
  48 pop 1 1
  49 dup 1 1
  4a dup2 2 1
  4b dig 3 1 u8
  4c swap 3 1
  4d select 3 1
  4e cover 5 1 u8
  4f uncover 5 1 u8
  50 concat 2 1
  51 substring 2 1 u8 u8
  52 substring3 2 1
  53 getbit 3 1
  54 setbit 3 1
  55 getbyte 3 1
  56 setbyte 3 1
  57 extract 5 1 u8 u8
  58 extract3 5 1
  59 extract_uint16 5 1
  5a extract_uint32 5 1
  5b extract_uint64 5 1
  5c replace2 7 1 u8
  5d replace3 7 1
  64 app_global_get 2 1
  67 app_global_put 2 1
  69 app_global_del 2 1
  80 pushbytes 3 1 bytes
  81 pushint 3 1 uint
  82 pushbytess 8 1 byteses
  83 pushints 8 1 uints
  88 callsub 4 1 label
  89 retsub 4 1
  8a proto 8 1 u8 u8
  8b frame_dig 8 1 i8
  8c frame_bury 8 1 i8
  8d switch 8 1 labels
  8e match 8 1 labels
  90 shl 4 1
  91 shr 4 1
  92 sqrt 4 4
  93 bitlen 4 1
  94 exp 4 1
  97 divw 6 1
  a0 b+ 4 10
  a1 b- 4 10
  a2 b/ 4 20
  a3 b* 4 20
  a4 b< 4 1
  a5 b> 4 1
  a6 b<= 4 1
  a7 b>= 4 1
  a8 b== 4 1
  a9 b!= 4 1
  aa b% 4 20
  ab b| 4 6
  ac b& 4 6
  ad b^ 4 6
  ae b~ 4 4
  af bzero 4 1
  b0 log 5 1
  b9 box_create 8 1
  ba box_extract 8 1
  bb box_replace 8 1
  bc box_del 8 1
  bd box_len 8 1
  be box_get 8 1
  bf box_put 8 1
  c0 txnas 5 1 txna
  c1 gtxnas 5 1 u8 txna
  c2 gtxnsas 5 1 txna
  d2 box_splice 10 1
  d3 box_resize 10 1`;

const OPCODES: readonly Opcode[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [code, name, since, cost, ...operands] = line.trim().split(' ');
    return Object.freeze({
      code: Number.parseInt(code!, 16),
      name: name!,
      since: Number(since),
      cost: Number(cost),
      operands: operands as Operand[],
    });
  });

export const BY_NAME: ReadonlyMap<string, Opcode> = new Map(OPCODES.map((op) => [op.name, op]));
export const BY_CODE: ReadonlyMap<number, Opcode> = new Map(OPCODES.map((op) => [op.code, op]));

/** Newest version of programs that it runs. */
export const VERSION_MAX = 11;

/** Fields of a transaction, each at its number. */
export const TXN_FIELDS: readonly string[] = `
  Sender Fee FirstValid FirstValidTime LastValid Note Lease Receiver Amount CloseRemainderTo VotePK
  SelectionPK VoteFirst VoteLast VoteKeyDilution Type TypeEnum XferAsset AssetAmount AssetSender
  AssetReceiver AssetCloseTo GroupIndex TxID ApplicationID OnCompletion ApplicationArgs NumAppArgs
  Accounts NumAccounts ApprovalProgram ClearStateProgram RekeyTo`
  .trim()
  .split(/\s+/);

/** Fields of the chain and of the called application. */
export const GLOBAL_FIELDS: readonly string[] = `
  MinTxnFee MinBalance MaxTxnLife ZeroAddress GroupSize LogicSigVersion Round LatestTimestamp
  CurrentApplicationID CreatorAddress CurrentApplicationAddress GroupID OpcodeBudget
  CallerApplicationID CallerApplicationAddress AssetCreateMinBalance AssetOptInMinBalance
  GenesisHash`
  .trim()
  .split(/\s+/);
