import { catalog } from '../shared/catalog.ts';
import { FULL } from '../shared/room.ts';
import type { World } from '../shared/world.ts';
import { answerRefusal } from './errors.ts';
import type { Context, Route } from './routes.ts';

/**
 * Routes whose requests are calls: while there is no room for more, the next are refused before
 * anything is read of them. Not by throwing, which costs as much again. Pages are no calls, and
 * health is told whatever else there is to do.
 */
export function counted({ rooms }: World, routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    const isJob = route.operation && catalog.get(route.operation)?.mode === 'job';
    return {
      ...route,
      handle: (ctx: Context) =>
        rooms.calls.isFull() || (isJob && rooms.jobs.isFull())
          ? answerRefusal(ctx, FULL)
          : route.handle(ctx),
    };
  });
}
