import { CURSOR, OAuthClient } from '../../api/oauth/rig.ts';
import type { Call } from '../calls/call.ts';
import { countsOf } from '../calls/history.ts';
import type { Domain } from './domain.ts';
import { costOf, newAddress, PRICE, type Validation } from './email/validation.ts';

/** An app that its owner allowed, as its last answers say. */
interface App {
  readonly id: number;
  readonly agentId: number;
  token: string;
  scopes: readonly string[];
  status: 'active' | 'revoked';
  /** When it was changed last, by Date.now(). */
  changedAt: number;
}

/** It holds everywhere within a second, and while servers are down a little later. */
const CHANGED_MS = 3_000;
const WIDE = ['read', 'buy'];
const NARROW = ['read'];
const NAME = 'drill app';

/**
 * Buyers sign in to an app at /mcp, which is a child agent of theirs then, and buys; they change
 * what it may do, end it and allow it again. Its token does what the last answer says.
 */
export const apps: Domain = {
  by: 'buyers',
  open(trader, { deployment: { outside } }) {
    const { agent, client, random, wallet, history, wrong } = trader;
    const browser = new OAuthClient(outside.publicUrl);
    let username: string | undefined;
    const signIns = countsOf(history, 'sign-in of an app');
    let app: App | undefined;
    let paid = 0;
    /** A page whose answer was lost may be answered by the server yet. */
    let isUncertain = false;

    async function owner(operation: string, input: Record<string, unknown>) {
      const answer = await client({ agent, operation, input, key: trader.newKey(operation) });
      if (answer?.status !== 200) wrong(`${operation} was refused: ${answer?.text}`);
      return answer!.body;
    }

    async function signIn(): Promise<string | undefined> {
      signIns.calls += 1;
      const signal = AbortSignal.timeout(SIGN_IN_MS);
      const token = await Promise.race([askForToken(), aborted(signal)]).catch(() => undefined);
      if (token === undefined) isUncertain = true;
      else signIns.performed += 1;
      return token;
    }

    async function askForToken(): Promise<string | undefined> {
      const me: Call = { agent, operation: 'agent_me', input: {}, repeatable: true };
      username ??= (await client(me))!.body.username as string;
      const said = { ...CURSOR, client_name: NAME };
      const flow = await browser.authorize(said, { username, scopes: WIDE });
      const { access_token: token } = await flow.exchange();
      return token as string | undefined;
    }

    /** Once more, where it was not answered: the same app has one connection of an owner. */
    async function connect(): Promise<void> {
      if (isUncertain && app) return;
      const token = await signIn();
      if (token === undefined) return;
      const { connections } = (await client({
        agent,
        operation: 'list_connections',
        input: {},
        repeatable: true,
      }))!.body;
      if (connections.length !== 1) wrong(`it has ${connections.length} connections`);
      const [{ connection_id: id, agent_id: agentId, scopes }] = connections;
      if (app && app.id !== id) wrong(`connection ${app.id} is ${id} now`);
      app = { id, agentId, token, scopes, status: 'active', changedAt: Date.now() };
    }

    const goOn = async (): Promise<void> => {
      if (app?.status === 'active') return spend(app);
      if (!app) return connect();
      if (Date.now() - app.changedAt < CHANGED_MS) return;
      await beUnknown(app);
      return connect();
    };

    async function spend({ agentId: id, token, scopes, changedAt }: App): Promise<void> {
      const isSettled = Date.now() - changedAt > CHANGED_MS;
      if (!scopes.includes('buy')) {
        return isSettled ? lackScope(app!) : undefined;
      }
      if (!isSettled) return;
      const operation = 'validate_email';
      const email = newAddress(random);
      const key = trader.newKey(operation);
      const call = { agent: { id, token }, operation, input: { email }, key };
      await trader.perform(call, ({ status, body, text }) => {
        const isPoor = status === 402 && body.error === 'insufficient_balance';
        if (isPoor && (wallet.micros < PRICE || trader.hasDoubts())) return;
        if (status !== 200) return wrong(`app ${id} was refused: ${text}`);
        const micros = costOf(email, body as Validation, wrong);
        wallet.micros -= micros;
        paid += micros / PRICE;
      });
    }

    async function beUnknown({ agentId: id, token }: App): Promise<void> {
      const call = { agent: { id, token }, operation: 'agent_me', input: {}, repeatable: true };
      const answer = await client(call);
      if (answer?.status !== 401) wrong(`app ${id} was ended, and was answered ${answer?.text}`);
      countsOf(history, 'app that was refused').performed += 1;
    }

    async function lackScope({ agentId: id, token }: App): Promise<void> {
      const operation = 'validate_email';
      const input = { email: newAddress(random) };
      const key = trader.newKey(operation);
      const answer = await client({ agent: { id, token }, operation, input, key });
      if (answer?.body.error !== 'insufficient_scope') wrong(`app ${id} got ${answer?.text}`);
      countsOf(history, 'app that was refused').performed += 1;
    }

    /** Only where nothing of an older sign-in can arrive, and the app waits for no answer. */
    async function change(): Promise<void> {
      if (!app || isUncertain || trader.hasDoubts() || app.status === 'revoked') return goOn();
      const { id: connection_id } = app;
      if (random.below(2) === 0) {
        const scopes = app.scopes.includes('buy') ? NARROW : WIDE;
        const changed = await owner('update_connection', { connection_id, scopes });
        app.scopes = changed.scopes;
      } else {
        const ended = await owner('revoke_connection', { connection_id });
        if (ended.status !== 'revoked') wrong(`connection ${connection_id} is ${ended.status}`);
        app.status = 'revoked';
      }
      app.changedAt = Date.now();
    }

    return {
      steps: [
        { weight: 2, run: goOn },
        { weight: 1, run: change },
      ],
      async compare({ database, same }) {
        const found = await database.query(
          `select c.id::int, c.agent_id::int as "agentId", c.scopes,
                  case when revoked_at is null then 'active' else 'revoked' end as status,
                  (select coalesce(sum(units), 0)::int from charge where agent_id = c.agent_id)
                    as paid,
                  c.revoked_at is not null and exists (
                    select from api_key k where k.connection_id = c.id and k.revoked_at is null)
                    as "hasLiveKeys"
             from connection c where owner_id = $1`,
          [agent.id],
        );
        // The owner may have been heard although the sign-in was not answered.
        if (!app && isUncertain) return;
        const told = app && {
          id: app.id,
          agentId: app.agentId,
          scopes: app.scopes,
          status: app.status,
          paid,
          hasLiveKeys: false,
        };
        same('apps', `apps of agent ${agent.id}`, { found, told: told ? [told] : [] });
      },
    };
  },
};

/** A page that is not answered is given up after this time. */
const SIGN_IN_MS = 15_000;

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the sign-in was not answered')));
  });
