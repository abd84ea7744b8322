import type { SettingReader } from '../../platform/config/environment.ts';
import { isSandboxed } from '../deposits/sandboxed/settings.ts';
import { evmAddress, rpcUrls } from '../../platform/config/chain_values.ts';
import { url, whole } from '../../platform/config/setting_values.ts';

/** Reads the chain and the limits of withdrawals in USDC. Amounts in whole dollars. */
export function withdrawalSettings(reader: SettingReader) {
  const { read, optional } = reader;
  const urls = read('BASE_RPC_URLS', '', rpcUrls);
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? urls.length;
  return Object.freeze({
    base: Object.freeze({
      /** JSON-RPC of Base, of one provider or several. None: the rail is off. */
      rpcUrls: urls,
      /** Number of them that must agree before an answer counts. */
      quorum: Math.min(quorum, urls.length),
      chainId: read('BASE_CHAIN_ID', '8453', whole(1, 2 ** 31 - 1)),
      /** The contract of USDC. */
      usdc: read('BASE_USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', evmAddress),
      /** Whether it is a chain on this machine, whose money has no value. */
      sandbox: isSandboxed(reader, 'base'),
      /**
       * The file with the private key of the hot wallet. A path: every process reads the settings,
       * only the worker that pays reads the file.
       */
      walletKeyFile: optional('BASE_KEY_FILE', String),
      /** An external signer, so that no key is here. */
      signerUrl: optional('BASE_SIGNER_URL', url('http', 'https')),
      /** Maximum price of a unit of gas, in gwei. Above it payments wait. */
      gweiMax: read('BASE_GWEI_MAX', '50', whole(1, 10_000)),
    }),
    min: read('WITHDRAWAL_MIN', '1', whole(1, 1e6)),
    max: read('WITHDRAWAL_MAX', '10000', whole(1, 1e6)),
    /** Maximum of a tree in 24 hours. */
    perDay: read('WITHDRAWAL_PER_DAY', '20000', whole(1, 1e9)),
    /** Sum of a tree in 24 hours above which an operator reviews a withdrawal. */
    reviewAbove: read('WITHDRAWAL_REVIEW_ABOVE', '1000', whole(0, 1e9)),
    /** The same for 30 days. */
    reviewAboveMonth: read('WITHDRAWAL_REVIEW_ABOVE_MONTH', '5000', whole(0, 1e9)),
    /** Amount above which two operators have to approve one, if there are two. Absent: never. */
    secondOperatorAbove: optional('WITHDRAWAL_SECOND_OPERATOR_ABOVE', whole(0, 1e9)),
    /**
     * Days that money paid by card cannot be withdrawn: a bank may reverse the payment. At most as
     * long as what was paid on is noted, which is the longest time of a dispute.
     */
    cardDays: read('WITHDRAWAL_CARD_DAYS', '14', whole(0, 180)),
    /** Hours that the first payment to an address waits. */
    holdHours: read('WITHDRAWAL_HOLD_HOURS', '24', whole(0, 720)),
  });
}

export type WithdrawalSettings = ReturnType<typeof withdrawalSettings>;
