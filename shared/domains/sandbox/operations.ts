import { sandboxAdvance } from './sandbox_advance.ts';

export const OPERATIONS = [sandboxAdvance] as const;
