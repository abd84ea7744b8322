import type { HttpContext } from '../../http/routes.ts';
import { hasAppCodes } from '../../../shared/domains/agents/factors/app_codes.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { page } from '../page.ts';
import { PostForm } from '../parts/do.tsx';
import { fieldOf, kindOf } from '../parts/fields.tsx';
import { PasskeyButton } from '../parts/passkey.tsx';
import { usdOf, Words } from '../parts/text.tsx';
import { readWaiting, sendPage, type Console } from '../render.tsx';
import { useShown, type FormFields } from '../page_state.ts';
import { fieldWords, labelOf } from '../words/field_words.ts';
import { isAmount, plainAmount } from '../words/texts.ts';
import { oneOf } from './form.ts';
import { askForProof } from './webauthn.ts';

interface Question {
  /** The action, in words. */
  readonly title: string;
  /** The path to which the form is sent then, as before. */
  readonly action: string;
  readonly given: FormFields;
  readonly session: WebSession;
  /** confirm: ask again, for browsers without dialogs. proof: ask for the password. */
  readonly ask: 'confirm' | 'proof';
}

/** Sends a page that asks for one more thing before a form is taken: nothing was done yet. */
export async function sendAsk(
  console: Console,
  ctx: HttpContext,
  question: Question,
): Promise<void> {
  const { session, ask } = question;
  const { agentId } = session.caller;
  const isOperator = session.caller.operator !== undefined;
  const { context } = console;
  const isProof = ask === 'proof' && !isOperator;
  const ways = {
    hasCodes: isProof && (await hasAppCodes(context.database, agentId)),
    passkey: isProof ? await askForProof(context, session) : undefined,
  };
  const asking = page({
    path: isOperator ? '/admin' : '/console',
    title: ask === 'proof' ? 'Prove that it is you' : 'Once more',
    access: isOperator ? 'operator' : 'owner',
    uses: 'passkeys',
    view: () => <Ask {...question} {...ways} />,
  });
  const url = oneOf(question.given, '_back') || asking.path;
  const request = { page: asking, asked: { params: {}, query: {} }, url, session };
  const waiting = await readWaiting(console, ctx, session);
  sendPage(console, ctx, request, waiting, ask === 'proof' ? 403 : 200);
}

function Ask({ title, action, given, session, ask, hasCodes, passkey }: AskProps) {
  const { operations } = useShown();
  const operation = action.slice(action.lastIndexOf('/') + 1);
  const isOperator = session.caller.operator !== undefined;
  const label = oneOf(given, '_ask') || oneOf(given, '_label') || title;
  const kept = Object.entries(given).filter(
    ([name]) => !['_ask', '_secret', '_passkey', '_account'].includes(name),
  );
  const shown = kept.filter(([name]) => !name.startsWith('_') && !/password|secret/.test(name));
  return (
    <section class="card narrow" aria-labelledby="ask">
      <h1 id="ask">{ask === 'proof' ? 'Prove that it is you' : label}</h1>
      <p>{title}. Nothing was done yet.</p>
      <dl class="pairs">
        {shown.map(([name, texts]) => (
          <>
            <dt>{labelOf(operation, name)}</dt>
            <dd>
              <Words>{saidOf(operations.get(operation), name, texts)}</Words>
            </dd>
          </>
        ))}
      </dl>
      <PostForm action={action} class="form">
        {kept.flatMap(([name, texts]) =>
          texts.map((text) => <input type="hidden" name={name} value={text} />),
        )}
        {ask === 'proof' && (
          <p class="field">
            <label for="secret">
              {isOperator ? 'Your token' : 'Your password'}
              {hasCodes && ', or the six digits of your app'}
            </label>
            <input
              id="secret"
              name="_secret"
              type="password"
              required
              autocomplete="current-password"
              data-focus=""
            />
          </p>
        )}
        <p class="buttons">
          <button class="button main">{label}</button>
          {passkey && <PasskeyButton asked={passkey} label="Use a passkey" />}
          <a class="button" href={oneOf(given, '_back') || '/console'}>
            Back
          </a>
        </p>
      </PostForm>
    </section>
  );
}

/** A field as its person reads it: amounts in dollars, choices by their labels. */
function saidOf(op: AnyOperation | undefined, name: string, texts: readonly string[]): string {
  const given = texts.filter((text) => text !== '');
  if (!op || !Object.hasOwn(op.input.properties, name)) return given.join(', ');
  const schema = kindOf(fieldOf(op, name));
  const last = given.at(-1) ?? '';
  if (schema.type === 'boolean') return last === 'true' ? 'yes' : 'no';
  const amount = Number(plainAmount(last));
  if (isAmount(schema) && last !== '' && Number.isFinite(amount)) return usdOf(amount);
  if (name.endsWith('_id') && /^\d+$/.test(last)) return `#${last}`;
  const { choices = {} } = fieldWords(op.name, name);
  return given.map((text) => choices[text] ?? text).join(', ');
}

interface AskProps extends Question {
  hasCodes: boolean;
  passkey: object | undefined;
}
