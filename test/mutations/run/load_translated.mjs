// Lets Node load the files of a lane: those named .ts hold JavaScript there (translation.ts).
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// The hooks run in a thread of their own, which imports this file too.
if (isMainThread) register(import.meta.url);

export const load = (url, context, next) =>
  next(url, url.endsWith('.ts') ? { ...context, format: 'module' } : context);
