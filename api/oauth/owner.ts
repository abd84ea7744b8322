import { isPassword } from '../../shared/agents/passwords.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { column, rows } from '../../shared/platform/rows.ts';

export async function proveOwner(
  { database }: Context,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<number> {
  const [root] = await rows(
    database,
    { id: column.id, password_hash: column.text },
    `select id, password_hash from agent
      where lower(username) = lower($1) and owner_id is null and password_hash is not null`,
    [username],
  );
  const isRight = await isPassword(root?.password_hash, password, address);
  if (root && isRight) return root.id;
  throw new Refusal('invalid_key', 'That name and password do not go together.');
}
