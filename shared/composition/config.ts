import { agentSettings, type AgentSettings } from '../domains/agents/settings.ts';
import { connectionSettings, type ConnectionSettings } from '../domains/connections/settings.ts';
import { depositSettings, type DepositSettings } from '../domains/deposits/settings.ts';
import { emailSettings, type EmailSettings } from '../domains/email/settings.ts';
import { jobSettings, type JobSettings } from '../jobs/settings.ts';
import {
  readEnvironment,
  type Environment,
  type SettingReader,
} from '../platform/config/environment.ts';
import { platformSettings, type PlatformSettings } from '../platform/config/settings.ts';
import { telemetrySettings, type TelemetrySettings } from '../platform/telemetry/settings.ts';
import { productSettings, type ProductSettings } from '../domains/products/settings.ts';
import { proxySettings, type ProxySettings } from '../domains/proxies/settings.ts';
import { mailSettings, NO_MAIL, type MailSettings } from '../domains/mail/settings.ts';
import { requestSettings, type RequestSettings } from '../domains/requests/settings.ts';
import { tokenSettings, type TokenSettings } from '../domains/tokens/settings.ts';
import { walletSettings, type WalletSettings } from '../domains/wallet/settings.ts';
import { x402Settings, type X402Settings } from '../domains/x402/settings.ts';
import { withdrawalSettings, type WithdrawalSettings } from '../domains/withdrawals/settings.ts';
import { selfCheckOf, type SelfCheck } from '../platform/self_checks/self_check.ts';
import { mixedMoney, realMoney } from './mixed_money.ts';
import { apiSettings, sandboxSetting, type ApiSettings } from './settings.ts';

/** Every setting of every process: the platform's own, and those of each domain under its name. */
export interface Config extends Readonly<PlatformSettings> {
  /** The checks of the settings themselves. */
  readonly selfChecks: readonly SelfCheck[];
  /** Whether money is play money, keys begin with `vnx_test_`, and time can be moved. */
  readonly sandbox: boolean;
  readonly telemetry: TelemetrySettings;
  readonly api: ApiSettings;
  readonly jobs: JobSettings;
  readonly agents: AgentSettings;
  readonly connections: ConnectionSettings;
  readonly wallet: WalletSettings;
  readonly deposits: DepositSettings;
  readonly products: ProductSettings;
  readonly email: EmailSettings;
  readonly mail: MailSettings;
  readonly proxies: ProxySettings;
  /** Undefined: x402 is off. */
  readonly x402: X402Settings;
  readonly withdrawals: WithdrawalSettings;
  readonly tokens: TokenSettings;
  readonly requests: RequestSettings;
}

/**
 * Reads the settings, once, when a process starts. Throws BadSettings, which names all faults.
 * `npm start` adds what it provides (the servers' URLs, generated secrets) to the environment of
 * the processes that it starts, so that each of them reads a complete one.
 */
export const readConfig = (env?: Environment): Config => readEnvironment(configOf, env);

/** The settings, for a program that reads further settings of its own. */
export function configOf(reader: SettingReader): Config {
  const api = apiSettings(reader);
  const settings = {
    ...platformSettings(reader),
    telemetry: telemetrySettings(reader),
    api,
    jobs: jobSettings(reader),
    agents: agentSettings(reader),
    connections: connectionSettings(reader, api),
    wallet: walletSettings(reader),
    deposits: depositSettings(reader),
    products: productSettings(reader),
    email: emailSettings(reader),
    mail: mailSettings(reader, api),
    proxies: proxySettings(reader, api),
    x402: x402Settings(reader),
    withdrawals: withdrawalSettings(reader),
    tokens: tokenSettings(reader),
    requests: requestSettings(reader),
  };
  const sandbox = sandboxSetting(reader, realMoney(settings));
  reader.check('money', mixedMoney(settings));
  const selfChecks = [
    ...reader.selfChecks(LOCAL_SETTINGS),
    // A warning in production too: agents need no mail.
    selfCheckOf('mail', settings.mail.mode === 'off' ? [NO_MAIL] : [], 'warning'),
  ];
  return Object.freeze({ ...settings, sandbox, selfChecks });
}

/** Settings read only by `npm start`, whose environment the processes of the application get. */
const LOCAL_SETTINGS = ['DATA_DIR', 'DEMO', 'EMBEDDED_REDIS', 'WORKERS'] as const;
