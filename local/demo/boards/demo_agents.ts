import { isStored, newPassword, storedValue, storeValue } from '../../stored_values.ts';
import { callsWith, Refused, type Call, type Market } from './market.ts';

/** An agent of the demo: like any other, with its own key. */
export interface DemoAgent {
  readonly id: number;
  readonly call: Call;
}

/** Maximum names to try: each taken name belongs to an agent whose key was lost. */
const NAMES_MAX = 20;

/**
 * The agent whose key is in the data folder, or a new one, whose key is stored there. So it stays
 * the same after every start.
 */
export async function demoAgent(market: Market, dataDir: string, name: string): Promise<DemoAgent> {
  const file = `${name}_key`;
  if (isStored(dataDir, file)) {
    const call = callsWith(
      market,
      storedValue(dataDir, file, () => ''),
    );
    try {
      const { agent_id } = await call<{ agent_id: number }>('GET /api/v1/agent/me');
      return { id: agent_id, call };
    } catch (error) {
      // The key belongs to another database.
      if (!(error instanceof Refused && error.status === 401)) throw error;
    }
  }
  const { agent_id, api_key } = await register(market, name);
  storeValue(dataDir, file, api_key.key);
  return { id: agent_id, call: callsWith(market, api_key.key) };
}

interface Registration {
  readonly agent_id: number;
  readonly api_key: { readonly key: string };
}

async function register(market: Market, name: string): Promise<Registration> {
  for (let n = 1; ; n++) {
    const username = n === 1 ? name : `${name}-${n}`;
    const email = `${username}@example.com`;
    try {
      const body = { username, email, password: newPassword() };
      return await callsWith(market)<Registration>('POST /api/v1/agent/register', body);
    } catch (error) {
      const isTaken = error instanceof Refused && error.code === 'validation_error';
      if (!isTaken || n === NAMES_MAX) throw error;
    }
  }
}
