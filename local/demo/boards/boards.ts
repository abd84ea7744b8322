import { demoAgent, type DemoAgent } from './demo_agents.ts';
import {
  answerTo,
  CAPITALS,
  listTask,
  numberTask,
  resultOf,
  REVIEW_LABOR,
  type PostedTask,
} from './goods.ts';
import { callsWith, type Call, type Market } from './market.ts';

/** The two agents of the demo, who post for everybody and now and then do each other's work. */
export interface DemoBoards {
  /** Posts missing work, so that there is something of each sort. */
  fill(): Promise<void>;
  /** Each agent does a task of the other, and one of them a unit of labor. */
  perform(): Promise<void>;
}

interface DemoSettings extends Market {
  /** Folder of the agents' keys. */
  readonly dataDir: string;
  readonly operatorToken: string;
}

interface Poster extends DemoAgent {
  readonly newTask: () => object;
}

/** Registers the two agents at the first start, and finds them again later. */
export async function openDemoBoards(demo: DemoSettings): Promise<DemoBoards> {
  const clerk = await demoAgent(demo, demo.dataDir, 'demo-clerk');
  const tutor = await demoAgent(demo, demo.dataDir, 'demo-tutor');
  const operator = callsWith(demo, demo.operatorToken);
  const posters: readonly Poster[] = [
    { ...clerk, newTask: numberTask },
    { ...tutor, newTask: listTask },
  ];
  await offerDataset(clerk, operator);

  return {
    async fill() {
      for (const poster of posters) {
        await keepFunded(poster, operator);
        const open = await openTasksOf(poster);
        if (open.length === 0) await poster.call('POST /api/v1/tasks', poster.newTask());
      }
      if (!(await laborOf(clerk))) await clerk.call('POST /api/v1/labor', REVIEW_LABOR);
    },

    async perform() {
      for (const poster of posters) {
        const [task] = await openTasksOf(poster);
        if (!task) continue;
        const worker = poster.id === clerk.id ? tutor : clerk;
        const result = resultOf(task);
        await worker.call(`POST /api/v1/tasks/${task.task_id}/submit`, { result });
      }
      const labor = await laborOf(clerk);
      if (!labor) return;
      const path = `/api/v1/labor/${labor.task_id}`;
      const unit = await tutor.call<Unit>(`POST ${path}/take`);
      const submission = answerTo(unit.payload.content);
      await tutor.call(`POST ${path}/deliver`, { claim_id: unit.claim_id, submission });
    },
  };
}

interface Task extends PostedTask {
  readonly task_id: number;
  readonly poster_id: number;
  readonly status: string;
}

/** Its own open tasks; the newest of them is always on the first page. */
async function openTasksOf({ id, call }: DemoAgent): Promise<readonly Task[]> {
  const { tasks } = await call<{ tasks: Task[] }>('GET /api/v1/tasks/mine?limit=10');
  return tasks.filter(({ poster_id, status }) => poster_id === id && status === 'open');
}

interface LaborTask {
  readonly task_id: number;
  readonly status: string;
  readonly units_open: number;
}

interface Unit {
  readonly claim_id: number;
  readonly payload: { readonly content: string };
}

/** Open units below which more are posted. */
const UNITS_OPEN_MIN = 3;

async function laborOf({ call }: { call: Call }): Promise<LaborTask | undefined> {
  const { labor_tasks } = await call<{ labor_tasks: LaborTask[] }>(
    'GET /api/v1/labor?mine=true&limit=1',
  );
  return labor_tasks.find(
    ({ status, units_open }) => status === 'open' && units_open >= UNITS_OPEN_MIN,
  );
}

const BALANCE_MIN = 0.2;
const GOODWILL = 1;

/** Gives the agent credit from the marketplace when its balance is low, at most once an hour. */
async function keepFunded({ id, call }: DemoAgent, operator: Call): Promise<void> {
  const { balance } = await call<{ balance: number }>('GET /api/v1/wallet');
  if (balance >= BALANCE_MIN) return;
  const reference = `demo:${id}:${new Date().toISOString().slice(0, 13)}`;
  await operator(`POST /api/v1/admin/agents/${id}/goodwill`, { amount: GOODWILL, reference });
}

async function offerDataset({ call }: DemoAgent, operator: Call): Promise<void> {
  const { count } = await call<{ count: number }>('GET /api/v1/datasets?mine=true&limit=1');
  if (count > 0) return;
  const { product_id } = await call<{ product_id: number }>('POST /api/v1/datasets', CAPITALS);
  const { status } = await call<{ status: string }>(`GET /api/v1/products/${product_id}`);
  if (status !== 'pending_review') return;
  const path = `/api/v1/admin/products/${product_id}/review`;
  await operator(`POST ${path}`, { decision: 'approve' });
}
