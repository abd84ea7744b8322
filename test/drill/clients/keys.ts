import type { Domain } from './domain.ts';

/** Below what an agent may have. */
const LIVE_MAX = 20;

interface Key {
  readonly id: number;
  readonly name: string;
  /** Shown once: undefined where the first answer was lost. */
  readonly token: string | undefined;
  isRevoked: boolean;
}

/** Sellers make API keys, use them, and revoke them. */
export const keys: Domain = {
  by: 'sellers',
  open(trader) {
    const { agent, client, random, wrong } = trader;
    const made: Key[] = [];
    const live = () => made.filter(({ isRevoked }) => !isRevoked);

    async function create(): Promise<void> {
      if (live().length >= LIVE_MAX) return revoke();
      const operation = 'create_key';
      const key = trader.newKey(operation);
      const input = { name: key, scopes: ['read'] };
      await trader.perform(
        { agent, operation, input, key },
        (answer) => {
          if (answer.status !== 200) return wrong(`making a key was refused: ${answer.text}`);
          const { key_id: id, name, api_key } = answer.body;
          const token: string | undefined = api_key.key ?? undefined;
          if (name !== key || (token === undefined && !answer.uncertain)) {
            wrong(`a key was made as ${answer.text}`);
          }
          made.push({ id, name, token, isRevoked: false });
        },
        { twice: random.below(4) === 0 },
      );
    }

    async function use(): Promise<void> {
      const { token } = random.pick([...live(), ...live().slice(-1)]) ?? {};
      if (token === undefined) return create();
      const caller = { id: agent.id, token };
      const call = { agent: caller, operation: 'agent_me', input: {}, repeatable: true };
      const answer = await client(call);
      if (answer?.body.agent_id !== agent.id) wrong(`a new key is not known: ${answer?.text}`);
    }

    async function revoke(): Promise<void> {
      const chosen = live()[0];
      if (!chosen) return create();
      const operation = 'revoke_key';
      const call = { agent, operation, input: { key_id: chosen.id }, repeatable: true };
      const answer = await client(call);
      if (answer?.status !== 200) wrong(`revoking a key was refused: ${answer?.text}`);
      chosen.isRevoked = true;
    }

    return {
      steps: [
        { weight: 2, run: create },
        { weight: 1, run: use },
        { weight: 1, run: revoke },
      ],
      async compare({ database, same }) {
        const rows: { name: string; revoked: boolean }[] = await database.query(
          `select name, revoked_at is not null as revoked from drill.all_api_key
            where agent_id = $1 and name like 'create_key-%' order by name`,
          [agent.id],
        );
        const told = made
          .map(({ name, isRevoked }) => ({ name, revoked: isRevoked }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1));
        same('keys', `keys of agent ${agent.id}`, { found: rows, told });
      },
    };
  },
};
