import { Input, Output, Type } from '../../shared/kernel/schema.ts';

/** Defaults of an operation; each test adds the functions that it is about. */
export const defaults = {
  title: 'A test',
  summary: 'A test.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'money',
  input: Input({}),
  output: Output({ seen: Type.String() }),
} as const;
