import type { IncomingMessage } from 'node:http';

import { catalog } from '../shared/catalog.ts';
import { FULL } from '../shared/room.ts';
import type { World } from '../shared/world.ts';
import { answerRefusal } from './errors.ts';
import type { Context, Route } from './routes.ts';

/**
 * Routes whose requests are calls: each takes a place from when it is there as a whole, and while
 * there is none left the next ones are refused before anything is read of them. Not by throwing,
 * which costs as much again. Pages are no calls, and health is told whatever else there is to do.
 */
export function counted({ rooms }: World, routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    const isJob = route.operation && catalog.get(route.operation)?.mode === 'job';
    return {
      ...route,
      async handle(ctx: Context) {
        if (rooms.calls.isFull() || (isJob && rooms.jobs.isFull())) {
          return answerRefusal(ctx, FULL);
        }
        const place = rooms.calls.place();
        ctx.state.place = place;
        if (hasBody(ctx.req)) ctx.req.once('end', place.take);
        else place.take();
        try {
          await route.handle(ctx);
        } finally {
          place.leave();
        }
      },
    };
  });
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
