import { column, execute, namesOf, rows, type Database } from '../../../platform/rows.ts';
import type { SavedCard } from './card_gateway.ts';

const SAVED = {
  customer_id: column.text,
  method_id: column.text,
  brand: column.text,
  last4: column.text,
};

/** The card that a tree has saved. */
export async function findSavedCard(db: Database, rootId: number): Promise<SavedCard | undefined> {
  const sql = `select ${namesOf(SAVED)} from saved_card where root_id = $1`;
  const [saved] = await rows(db, SAVED, sql, [rootId]);
  if (!saved) return undefined;
  const { customer_id: customerId, method_id: methodId, brand, last4 } = saved;
  return { customerId, methodId, brand, last4 };
}

/** Saves a card in place of the previous one. */
export async function saveCard(db: Database, rootId: number, card: SavedCard): Promise<void> {
  await execute(
    db,
    `insert into saved_card (root_id, customer_id, method_id, brand, last4)
     values ($1, $2, $3, $4, $5)
     on conflict (root_id) do update
       set customer_id = excluded.customer_id, method_id = excluded.method_id,
           brand = excluded.brand, last4 = excluded.last4, saved_at = now()`,
    [rootId, card.customerId, card.methodId, card.brand, card.last4],
  );
}
