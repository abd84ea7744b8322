import { agentSettings, type AgentSettings } from '../agents/settings.ts';
import { connectionSettings, type ConnectionSettings } from '../connections/settings.ts';
import { depositSettings, type DepositSettings } from '../deposits/settings.ts';
import { emailSettings, type EmailSettings } from '../email/settings.ts';
import { jobSettings, type JobSettings } from '../jobs/settings.ts';
import {
  readEnvironment,
  type Environment,
  type SettingReader,
} from '../platform/config/environment.ts';
import { platformSettings, type PlatformSettings } from '../platform/config/settings.ts';
import { productSettings, type ProductSettings } from '../products/settings.ts';
import { proxySettings, type ProxySettings } from '../proxies/settings.ts';
import { tokenSettings, type TokenSettings } from '../tokens/settings.ts';
import { walletSettings, type WalletSettings } from '../wallet/settings.ts';
import { x402Settings, type X402Settings } from '../x402/settings.ts';
import { withdrawalSettings, type WithdrawalSettings } from '../withdrawals/settings.ts';
import type { SelfCheck } from '../platform/self_checks/self_check.ts';
import { mixedMoney } from './mixed_money.ts';
import { apiSettings, type ApiSettings } from './settings.ts';

/** Every setting of every process: the platform's own, and those of each domain under its name. */
export interface Config extends Readonly<PlatformSettings> {
  /** The checks of the settings themselves. */
  readonly selfChecks: readonly SelfCheck[];
  readonly api: ApiSettings;
  readonly jobs: JobSettings;
  readonly agents: AgentSettings;
  readonly connections: ConnectionSettings;
  readonly wallet: WalletSettings;
  readonly deposits: DepositSettings;
  readonly products: ProductSettings;
  readonly email: EmailSettings;
  readonly proxies: ProxySettings;
  /** Undefined: nothing is paid by x402. */
  readonly x402: X402Settings;
  readonly withdrawals: WithdrawalSettings;
  readonly tokens: TokenSettings;
}

/**
 * Reads the settings, once, when a process starts. Throws BadSettings, which names all faults.
 * `npm start` adds what it provides (the servers' URLs, generated secrets) to the environment of
 * the processes that it starts, so that each of them reads a complete one.
 */
export const readConfig = (env?: Environment): Config => readEnvironment(configOf, env);

/** For a program that reads settings of its own beside these. */
export function configOf(reader: SettingReader): Config {
  const api = apiSettings(reader);
  const settings = {
    ...platformSettings(reader),
    api,
    jobs: jobSettings(reader),
    agents: agentSettings(reader),
    connections: connectionSettings(reader, api),
    wallet: walletSettings(reader),
    deposits: depositSettings(reader),
    products: productSettings(reader),
    email: emailSettings(reader),
    proxies: proxySettings(reader, api),
    x402: x402Settings(reader),
    withdrawals: withdrawalSettings(reader),
    tokens: tokenSettings(reader),
  };
  reader.check('money', mixedMoney(settings));
  return Object.freeze({ ...settings, selfChecks: reader.selfChecks(LOCAL_SETTINGS) });
}

/** Read by `npm start` alone, which gives its environment to the processes of the application. */
export const LOCAL_SETTINGS = ['DATA_DIR', 'DEMO', 'EMBEDDED_REDIS', 'WORKERS'] as const;
