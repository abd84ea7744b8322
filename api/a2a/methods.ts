import { readMessage, taskIdOf, type SentMessage } from './sent_message.ts';
import { awaitsChoice, shownTask, type BoardTask, type Offers } from './shown_task.ts';
import {
  invalidParams,
  refused,
  RpcError,
  TASK_STATES,
  type Message,
  type RefusalBody,
  type Task,
  type TaskState,
} from './wire.ts';

/** An answer of an operation. */
interface Answered {
  readonly status: number;
  readonly body: object;
}

/** Invokes an operation as the caller, with an Idempotency-Key if it takes one. */
export type Ask = (name: string, input: object, key?: string) => Promise<Answered>;

type Method = (ask: Ask, params: Readonly<Record<string, unknown>>) => Promise<object>;

/** Operations on a task that a message may name as its action. */
const ACTIONS = [
  'task_accept_bid',
  'task_approve',
  'task_reject',
  'task_request_revision',
  'task_replace_worker',
  'task_cancel',
];

const isAction = (action: unknown): action is string => ACTIONS.includes(action as string);

const TITLE_CHARS_MAX = 120;
const PAGE_SIZE_MAX = 100;

/** The methods of A2A over the task board, by name. */
export const METHODS: Readonly<Record<string, Method>> = {
  async SendMessage(ask, params) {
    const message = readMessage(params);
    assertNoPush(params.configuration);
    return message.taskId === undefined
      ? begin(ask, message)
      : proceed(ask, message.taskId, message);
  },
  GetTask: async (ask, { id }) => read(ask, taskIdOf(id)),
  async CancelTask(ask, { id }) {
    const taskId = taskIdOf(id);
    await assertPosted(ask, taskId);
    const { status, body } = await ask('task_cancel', { task_id: taskId });
    if (status >= 400) throw refused(body as RefusalBody, true);
    return read(ask, taskId);
  },
  ListTasks: list,
  SendStreamingMessage: unsupported,
  SubscribeToTask: unsupported,
  GetExtendedAgentCard: unsupported,
  CreateTaskPushNotificationConfig: noPush,
  GetTaskPushNotificationConfig: noPush,
  ListTaskPushNotificationConfigs: noPush,
  DeleteTaskPushNotificationConfig: noPush,
};

/** Posts a task. Without a budget, or an owner's approval that it needs, it answers a message. */
async function begin(ask: Ask, { messageId, text, data }: SentMessage): Promise<object> {
  if (data.budget === undefined) {
    const need = 'A budget is missing: send the same text with a data part {"budget": dollars}.';
    return { message: replyTo(messageId, need) };
  }
  const [first = ''] = text.split('\n');
  const title = data.title ?? (first.slice(0, TITLE_CHARS_MAX) || undefined);
  const description = data.description ?? (text === title ? undefined : text || undefined);
  const input = { ...data, title, ...(description !== undefined && { description }) };
  const { status, body } = await ask('task_post', input, messageId);
  if (status >= 400) throw refused(body as RefusalBody);
  if (!('task_id' in body)) {
    const { message = 'It is not posted yet: ask get_job.' } = body as { message?: string };
    return { message: replyTo(messageId, message, body) };
  }
  return { task: await read(ask, Number(body.task_id)) };
}

/** Does what a message asks of a task; text alone goes to the other party. */
async function proceed(
  ask: Ask,
  taskId: number,
  { messageId, text, data: { action, ...fields } }: SentMessage,
): Promise<object> {
  if ('task_id' in fields) throw invalidParams('The task is that of message.taskId.');
  await assertPosted(ask, taskId);
  if (action !== undefined && !isAction(action)) {
    throw invalidParams(`action must be one of ${ACTIONS.join(', ')}.`);
  }
  const { status, body } =
    action === undefined
      ? await ask('send_message', { ...fields, task_id: taskId, text }, messageId)
      : await ask(action, { ...wordsOf(action, text), ...fields, task_id: taskId }, messageId);
  if (status >= 400) throw refused(body as RefusalBody);
  return { task: await read(ask, taskId) };
}

/** The text beside an action is its reason, or its note. */
function wordsOf(action: string, text: string): object {
  if (text === '') return {};
  if (action === 'task_request_revision') return { note: text };
  return action === 'task_reject' || action === 'task_cancel' ? { reason: text } : {};
}

type MineTask = BoardTask & Pick<Offers, 'submissions'>;

/** The tasks of the caller, newest first. The page token is the cursor of task_mine. */
async function list(
  ask: Ask,
  { pageSize, pageToken, includeArtifacts, ...filter }: Readonly<Record<string, unknown>>,
): Promise<object> {
  const isAsked = filterOf(filter);
  const limit = Number(pageSize || 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_SIZE_MAX) {
    throw invalidParams(`pageSize must be 1 to ${PAGE_SIZE_MAX}.`);
  }
  const page = await asked<{ tasks: MineTask[]; next_cursor: string | null }>(ask, 'task_mine', {
    limit,
    ...(pageToken ? { cursor: pageToken } : {}),
  });
  const shown = page.tasks
    .filter(isPosted)
    .map((task) =>
      shownTask(task, { bids: [], submissions: includeArtifacts === true ? task.submissions : [] }),
    );
  const tasks = shown.filter(isAsked);
  return {
    tasks,
    nextPageToken: page.next_cursor ?? '',
    pageSize: limit,
    totalSize: tasks.length,
  };
}

/** Values of a filter by state that stand for none: of the protocol, and of its SDK. */
const ANY_STATE: readonly unknown[] = [
  undefined,
  null,
  '',
  0,
  'TASK_STATE_UNSPECIFIED',
  'UNRECOGNIZED',
];

/** Refuses a filter that cannot be applied: without it all tasks would be taken for those asked. */
function filterOf({
  status,
  contextId,
  statusTimestampAfter: after,
}: Readonly<Record<string, unknown>>): (task: Task) => boolean {
  const isAny = ANY_STATE.includes(status);
  if (!isAny && !TASK_STATES.includes(status as TaskState)) {
    throw invalidParams(`status must be one of ${TASK_STATES.join(', ')}.`);
  }
  const since = after ? Date.parse(String(after as string)) : -Infinity;
  if (Number.isNaN(since)) throw invalidParams('statusTimestampAfter must be a time (RFC 3339).');
  return (task) =>
    (isAny || task.status.state === status) &&
    (!contextId || task.contextId === contextId) &&
    Date.parse(task.status.timestamp) >= since;
}

async function read(ask: Ask, taskId: number): Promise<Task> {
  const task = await assertPosted(ask, taskId);
  return shownTask(task, await offersOf(ask, task));
}

/** Bids are read while one can be chosen, results once there are any. */
async function offersOf(ask: Ask, task: BoardTask): Promise<Offers> {
  const about = { task_id: task.task_id };
  const { bids } = awaitsChoice(task)
    ? await asked<Pick<Offers, 'bids'>>(ask, 'task_bids', about)
    : { bids: [] };
  const { submissions } =
    task.submissions_count > 0
      ? await asked<Pick<Offers, 'submissions'>>(ask, 'task_submissions', about)
      : { submissions: [] };
  return { bids, submissions };
}

const isPosted = ({ role }: BoardTask): boolean => role === 'poster';

/** The board is public, but by this interface a task is for its poster alone. */
async function assertPosted(ask: Ask, taskId: number): Promise<BoardTask> {
  const { status, body } = await ask('get_task', { task_id: taskId });
  if (status >= 400 && (body as RefusalBody).error !== 'not_found')
    throw refused(body as RefusalBody);
  const task = body as BoardTask;
  if (status < 400 && isPosted(task)) return task;
  throw new RpcError('task_not_found', `You have posted no task ${taskId}.`);
}

async function asked<T extends object>(ask: Ask, name: string, input: object): Promise<T> {
  const { status, body } = await ask(name, input);
  if (status >= 400) throw refused(body as RefusalBody);
  return body as T;
}

const replyTo = (messageId: string, text: string, data?: object): Message => ({
  messageId: `re-${messageId}`,
  role: 'ROLE_AGENT',
  parts: [{ text }, ...(data ? [{ data }] : [])],
});

function unsupported(): never {
  throw new RpcError('unsupported_operation', 'Not offered here: poll GetTask.');
}

function assertNoPush(configuration: unknown): void {
  const { taskPushNotificationConfig: push } = (configuration ?? {}) as Record<string, unknown>;
  if (push) noPush();
}

function noPush(): never {
  const message = 'No push by A2A: create_webhook sends every event to a URL of yours.';
  throw new RpcError('push_not_supported', message);
}
