import {
  beginAppCodes,
  confirmAppCodes,
  endAppCodes,
  hasAppCodes,
} from '../../../shared/domains/agents/factors/app_codes.ts';
import { makeRecoveryCodes } from '../../../shared/domains/agents/factors/recovery_codes.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { transact } from '../../../shared/platform/database.ts';
import { oneOf } from '../session/form.ts';
import type { Change } from './change.ts';

const OFF = 'App codes are off.';

/** Changes of app codes: turn on with a first code, turn off, and replace recovery codes. */
export function appCodeChanges(context: Context): Change[] {
  const { database } = context;
  return [
    {
      path: '/codes/begin',
      proof: 'Turn on app codes',
      async perform({ session: { caller } }) {
        const isMade = await transact(database, (db) => beginAppCodes(context, db, caller.agentId));
        if (!isMade) throw new Refusal('invalid_transition', 'App codes are on.');
        return { said: 'Scan the code with your app, then give the six digits that it shows.' };
      },
    },
    {
      path: '/codes/confirm',
      proof: 'Turn on app codes',
      async perform({ session: { caller }, given }) {
        const code = oneOf(given, 'code').replaceAll(' ', '');
        const recovery = await transact(database, async (db) => {
          if (!(await confirmAppCodes(context, db, caller.agentId, code))) return undefined;
          return makeRecoveryCodes(db, caller.agentId);
        });
        if (recovery)
          return { said: 'From now on a code is asked for after the password.', recovery };
        throw invalid([{ pointer: '/code', message: 'is invalid' }]);
      },
    },
    {
      path: '/codes/recovery',
      proof: 'Make new recovery codes',
      async perform({ session: { caller } }) {
        const recovery = await transact(database, async (db) => {
          if (!(await hasAppCodes(db, caller.agentId)))
            throw new Refusal('invalid_transition', OFF);
          return makeRecoveryCodes(db, caller.agentId);
        });
        return { said: 'The old recovery codes no longer work.', recovery };
      },
    },
    {
      path: '/codes/off',
      proof: 'Turn off app codes',
      async perform({ session: { caller } }) {
        await transact(database, (db) => endAppCodes(db, caller.agentId));
        return { said: OFF };
      },
    },
  ];
}
