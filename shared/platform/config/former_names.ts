/** Settings by their names before version 0.3, which are read for one release more. */
export const FORMER_NAMES: Readonly<Record<string, string>> = {
  WITHDRAWAL_KEY_FILE: 'BASE_KEY_FILE',
  WITHDRAWAL_SIGNER_URL: 'BASE_SIGNER_URL',
  WITHDRAWAL_GWEI_MAX: 'BASE_GWEI_MAX',
  INDEXER_URL: 'ALGO_INDEXER_URLS',
  INDEXER_TOKEN: 'ALGO_INDEXER_TOKEN',
  ALGOD_URL: 'ALGO_NODE_URL',
  ALGOD_TOKEN: 'ALGO_NODE_TOKEN',
};

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment with every setting under its present name. */
export function underPresentNames(given: Variables) {
  const env: Record<string, string | undefined> = { ...given };
  const warnings: string[] = [];
  const faults: string[] = [];
  for (const [former, present] of Object.entries(FORMER_NAMES)) {
    const text = env[former];
    delete env[former];
    if (!text?.trim()) continue;
    warnings.push(`${former} is now called ${present}: rename it before the next release`);
    if (env[present] && env[present] !== text) {
      faults.push(`${former} is the former name of ${present}, and they differ: leave one out`);
    }
    env[present] = text;
  }
  return { env: env as Variables, warnings, faults };
}
