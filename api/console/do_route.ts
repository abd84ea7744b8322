import type { HttpContext, Route } from '../http/routes.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import type { WebSession } from '../../shared/domains/agents/sessions/sessions.ts';
import { countCalls } from '../../shared/composition/invoke/count_calls.ts';
import { takesKey } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { Refusal, refusalOf } from '../../shared/kernel/refusal.ts';
import { invalid } from '../../shared/kernel/invalid.ts';
import type { BadField } from '../../shared/kernel/oversize.ts';
import { parse } from '../../shared/kernel/schema.ts';
import { inputOf } from './input_of.ts';
import { matchPage } from './match.ts';
import type { Page, PageAccess } from './page.ts';
import { callerOf, type Console } from './render.tsx';
import { currentSession } from './session/current.ts';
import { assertForm, baseOf, oneOf, pathWithin, readFields } from './session/form.ts';
import { needsProof, type ReadApprovals } from './session/fresh.ts';
import { assertSameOrigin } from './session/guard.ts';
import { sendLogin } from './session/login_routes.ts';
import { sendAsk } from './session/ask.tsx';
import { proofIn } from './session/prove.ts';
import { isRegistered, signInNew } from './session/sign_in_new.ts';
import { refusedOf, sendBack } from './show_again.ts';
import type { FormFields, PageState } from './page_state.ts';
import { textsOf } from './words/texts.ts';

/** Time that a form waits for its job before the person sees a waiting page. */
const WAIT_MS = 5_000;

/**
 * `POST /console/do/:operation`, `/admin/do/…` and, without a session, `/do/…`: every change that a
 * page can make.
 */
export function doRoutes(console: Console): Route[] {
  return (['owner', 'operator', 'public'] as const).map((kind) => ({
    route: `POST ${kind === 'public' ? '' : baseOf(kind)}/do/:operation`,
    handle: (ctx: HttpContext) => change(console, ctx, kind),
  }));
}

async function change(console: Console, ctx: HttpContext, kind: PageAccess): Promise<void> {
  const { context, pages } = console;
  assertSameOrigin(ctx, context.config.api.publicUrl);
  const session = kind === 'public' ? undefined : await currentSession(context, ctx, kind);
  const name = ctx.params?.operation ?? '';
  const offered = pages.some(({ access, does }) => access === kind && does.includes(name));
  const op = offered ? context.operations.get(name) : undefined;
  if (!op) throw new Refusal('not_found', 'No page offers this operation.');
  const given = await readFields(ctx);
  const next = pathWithin(baseOf(kind), oneOf(given, '_back'));
  if (!session && kind !== 'public') {
    const kept = { operation: name, given: withoutSecrets(given) };
    return sendLogin(console, ctx, kind, { next, kept }, { status: 401 });
  }
  let renewed: string | undefined;
  try {
    await countCalls(context, { caller: session?.caller ?? PLATFORM, address: ctx.state.address });
    assertForm(given, session);
    const question = { title: op.title, action: `${baseOf(kind)}/do/${name}`, given };
    if (session && given._ask)
      return sendAsk(console, ctx, { ...question, session, ask: 'confirm' });
    const approvals = approvalsOf(console, ctx, session);
    if (session && !session.isFresh && (await needsProof(op, given, approvals))) {
      renewed = await proofIn(context, ctx, session, given);
      if (!renewed) return await sendAsk(console, ctx, { ...question, session, ask: 'proof' });
    }
    await run(console, ctx, { kind, op, given, session, renewed });
  } catch (error) {
    const refusal = refusalOf(error);
    if (error !== refusal) throw error;
    if (
      name === 'register_agent' &&
      isRegistered(refusal) &&
      (await signInNew(console, ctx, given))
    )
      return ctx.redirect('/console');
    const refused = refusedOf(name, given, refusal);
    ctx.state.operation = name;
    const back = { kind, session, renewed, refused, status: refusal.status };
    await sendBack(console, ctx, back).catch((fault: unknown) => {
      // This account may not see the page of the form.
      throw fault instanceof Refusal ? refusal : fault;
    });
  }
}

const approvalsOf =
  (console: Console, ctx: HttpContext, session: WebSession | undefined): ReadApprovals =>
  async (input) => {
    const call = { input, key: undefined, waitMs: 0 };
    return JSON.parse((await callerOf(console, ctx, session)('list_approvals', call)).body);
  };

interface Change {
  readonly kind: PageAccess;
  readonly op: AnyOperation;
  readonly given: FormFields;
  readonly session: WebSession | undefined;
  readonly renewed: string | undefined;
}

async function run(console: Console, ctx: HttpContext, made: Change): Promise<void> {
  const { kind, op, given, session, renewed } = made;
  const call = callerOf(console, ctx, session, { renewed });
  const key = takesKey(op) ? oneOf(given, '_key') || undefined : undefined;
  const { page } = matchPage(console.pages, kind, oneOf(given, '_back'));
  const next = nextIn(console.context, page, made);
  if (next) assertReadable(next);
  const answer = await call(op.name, { input: inputOf(op, given), key, waitMs: WAIT_MS });
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  if (answer.status >= 400) throw recorded(body);
  const base = baseOf(kind);
  if (page.shows.includes(op.name) && answer.status === 200) {
    if (op.name === 'register_agent') await signInNew(console, ctx, given);
    const refused = next && (await doNext(next, made, call, { key, body }));
    const done = { operation: op.name, answer: body };
    return sendBack(console, ctx, { ...made, refused, done });
  }
  ctx.status = 303;
  ctx.body = null;
  if (answer.status === 202) {
    const id = textOf(body.job_id);
    return ctx.set('Location', id ? `${base}/jobs/${id}` : base);
  }
  const refused = next && (await doNext(next, made, call, { key, body }));
  if (refused) return sendBack(console, ctx, { ...made, refused, done: { operation: op.name } });
  const path = oneOf(given, '_next').replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(textOf(body[name])),
  );
  const to = new URL(pathWithin(base, path || oneOf(given, '_back')), 'http://here');
  to.searchParams.set('done', op.name);
  ctx.set('Location', to.pathname + to.search);
}

/** The operation that may follow another one in the same form. */
interface Following {
  readonly name: string;
  /** The fields that the form may fill in. */
  readonly fields: readonly string[];
  /** The object that the first operation has just made; null: none. */
  readonly madeBy: (answer: Readonly<Record<string, unknown>>) => object;
}

const TAKE: Following = { name: 'take_labor_task', fields: ['task_id'], madeBy: () => ({}) };

/**
 * The operations that follow others. None of them ever needs a proof of the person: that is asked
 * for the first one only, and a limit may be set of the agent alone that the form has just made.
 */
const FOLLOWING: Readonly<Record<string, Following>> = {
  deliver_labor_task: TAKE,
  labor_release: TAKE,
  spawn_agent: {
    name: 'set_policy',
    fields: ['daily_spend_limit'],
    madeBy: ({ agent }) => ({ agent_id: (agent as { agent_id: number }).agent_id }),
  },
};

/** The second operation of a form, with its input but for what the first one makes. */
function nextIn({ operations }: Console['context'], { does }: Page, { op, given }: Change) {
  const following = FOLLOWING[op.name];
  const next = following && operations.get(following.name);
  if (!next || oneOf(given, '_then') !== next.name || !does.includes(next.name)) return undefined;
  const fields = following.fields.flatMap((name) => {
    const texts = given[`_then.${name}`];
    return texts ? [[name, texts] as const] : [];
  });
  return { op: next, input: inputOf(next, Object.fromEntries(fields)), madeBy: following.madeBy };
}

type Next = NonNullable<ReturnType<typeof nextIn>>;

/** Refuses a form whose second operation could not read its fields, before the first is done. */
function assertReadable({ op, input }: Next): void {
  try {
    parse(op.input, input);
  } catch (error) {
    const { fields = [] } = refusalOf(error).details as { fields?: readonly BadField[] };
    // The object that the first operation makes is missing yet.
    const wrong = fields.filter(({ pointer }) => Object.hasOwn(input, pointer.slice(1)));
    if (wrong.length > 0) throw invalid(wrong);
  }
}

/**
 * Calls the second operation of a form, which follows the first that has just been done. A refusal
 * of it is no refusal of the form.
 */
async function doNext(
  { op, input, madeBy }: Next,
  { given }: Change,
  call: ReturnType<typeof callerOf>,
  { key, body }: { key: string | undefined; body: Readonly<Record<string, unknown>> },
): Promise<PageState['refused']> {
  const nextKey = takesKey(op) && key !== undefined ? `${key}-then` : undefined;
  try {
    const whole = { ...input, ...madeBy(body) };
    const answer = await call(op.name, { input: whole, key: nextKey, waitMs: WAIT_MS });
    if (answer.status >= 400) throw recorded(JSON.parse(answer.body) as Record<string, unknown>);
  } catch (error) {
    const refusal = refusalOf(error);
    if (error !== refusal) throw error;
    return refusedOf(op.name, given, refusal);
  }
  return undefined;
}

const textOf = (value: unknown) => textsOf(value).join();

/** The refusal of a job, or of a repeated call, as if it were thrown now. */
function recorded(body: Record<string, unknown>): Refusal {
  const { error, message, details } = body as { error: never; message: string; details: object };
  return new Refusal(error, message, details);
}

const withoutSecrets = (given: FormFields): FormFields =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !/password|secret/.test(name)));
