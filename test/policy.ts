import type { TestPlatform } from './harness.ts';

/** Sets columns of an agent's policy, amounts in micro-dollars. There is no route for it yet. */
export async function setPolicy(
  platform: Pick<TestPlatform, 'query'>,
  { id }: { readonly id: number },
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(columns);
  await platform.query(
    `insert into policy (agent_id, root_id, ${names.join(', ')})
     values ($1, (select root_id from agent where id = $1),
             ${names.map((_, n) => `$${n + 2}`).join(', ')})
     on conflict (agent_id) do update set
       ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [id, ...Object.values(columns)],
  );
}
