// Lets Node load the files of a lane: those named .ts and .tsx hold JavaScript there
// (checkout_copy.ts).
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// The hooks run in a thread of their own, which imports this file too.
if (isMainThread) register(import.meta.url);

export const load = (url, context, next) =>
  next(url, /\.tsx?$/.test(url) ? { ...context, format: 'module' } : context);
