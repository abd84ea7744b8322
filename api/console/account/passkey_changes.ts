import { removePasskey, renamePasskey } from '../../../shared/domains/agents/factors/passkeys.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { clean } from '../../../shared/kernel/text.ts';
import { oneOf } from '../session/form.ts';
import { addAnswered } from '../session/webauthn.ts';
import type { FormFields } from '../page_state.ts';
import type { Change } from './change.ts';
import { NAME_CHARS_MAX } from './passkeys.tsx';

/** Passkeys of an owner: added, named, removed. */
export function passkeyChanges(context: Context): Change[] {
  const { database } = context;
  return [
    {
      path: '/passkeys/begin',
      proof: 'Add a passkey',
      perform: async () => ({ said: 'Name the passkey. Then your browser makes it.' }),
    },
    {
      path: '/passkeys/add',
      proof: 'Add a passkey',
      async perform({ session, given }) {
        const answer = oneOf(given, 'made');
        if (answer === '') return { said: 'Name the passkey. Then your browser makes it.' };
        await addAnswered(context, session, { answer, name: nameIn(given) });
        return { said: 'The passkey was added. It signs you in, and proves that it is you.' };
      },
    },
    {
      path: '/passkeys/rename',
      async perform({ session, given }) {
        const { agentId } = session.caller;
        await renamePasskey(database, { id: idIn(given), agent_id: agentId, name: nameIn(given) });
        return { said: 'The passkey has another name.' };
      },
    },
    {
      path: '/passkeys/remove',
      proof: 'Remove a passkey',
      async perform({ session, given }) {
        const { agentId } = session.caller;
        await removePasskey(database, { id: idIn(given), agent_id: agentId });
        return { said: 'The passkey was removed. It signs nobody in any more.' };
      },
    },
  ];
}

function idIn(given: FormFields): number {
  const text = oneOf(given, 'passkey');
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('bad_request', 'There is no such passkey.');
  return Number(text);
}

function nameIn(given: FormFields): string {
  const name = clean(oneOf(given, 'name')).trim();
  if (name.length > 0 && name.length <= NAME_CHARS_MAX) return name;
  const bound = name.length === 0 ? 'at least 1' : `at most ${NAME_CHARS_MAX}`;
  throw invalid([{ pointer: '/name', message: `must have ${bound} characters` }]);
}
