import type { EntityManager } from 'typeorm';

import type { EventType, ObjectKind } from '../../shared/domains/events/event_types.ts';
import { emit } from '../../shared/domains/events/events.ts';
import type { TestPlatform } from '../harness.ts';

/** Events of an object of an agent. */
export interface Happening {
  readonly agentId: number;
  readonly type?: EventType;
  readonly id?: number;
  readonly status?: string;
}

/** Writes events, in the order given. */
export const happen = (db: EntityManager, ...happenings: Happening[]): Promise<void> =>
  emit(
    db,
    happenings.map(({ agentId, type = 'order.created', id = 1, status = 'escrow' }) => ({
      agentId,
      type,
      object: { kind: type.split('.')[0] as ObjectKind, id, status },
      data: { quantity: id },
    })),
  );

/** A transaction that stays open until it is told to commit. */
export async function openTransaction({ context }: TestPlatform) {
  const runner = context.database.createQueryRunner();
  await runner.query('start transaction');
  return {
    db: runner.manager,
    async commit() {
      await runner.query('commit');
      await runner.release();
    },
  };
}

/** One page, as `list_events` answers. */
export async function pageOf(
  platform: TestPlatform,
  { key }: { key: string },
  query: Record<string, string | number> = {},
) {
  const fields = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const reply = await platform.request(`GET /api/v1/events?${fields.toString()}`, { key });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

/** The ids of the objects of a page's events. */
export const objectsOf = (page: { events: { object: { id: number } }[] }): number[] =>
  page.events.map(({ object }) => object.id);
