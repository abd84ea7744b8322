import { operation } from '../kernel/operation.ts';
import { Input, Output, Time, Type } from '../kernel/schema.ts';

export const runAudit = operation({
  name: 'run_audit',
  title: 'Run the audit',
  summary:
    'Operators: proves in one snapshot that the books are right, and lists what is not. A long ' +
    'history takes minutes; nobody waits for it. The same as npm run audit.',
  access: 'operator',
  mode: 'job',
  domain: 'operators',
  queue: 'bulk',
  rest: 'POST /api/v1/admin/audit',
  tool: false,
  actsOn: { kind: 'books' },
  gatherMs: 9 * 60_000,
  input: Input({}),
  output: Output('AuditReport', {
    holds: Type.Boolean({ description: 'Whether every proof holds.' }),
    at: Time('The moment that it speaks of.'),
    proofs: Type.Integer({ description: 'How many there are.' }),
    orders: Type.Integer({ description: 'How many were looked at.' }),
    transfers: Type.Integer({ description: 'How many were looked at.' }),
    differences: Type.Array(
      Output('AuditDifference', {
        proof: Type.String({ description: 'What does not hold.' }),
        row: Type.Unknown({ description: 'For what.' }),
      }),
      { maxItems: 10_000, description: 'At most 20 of a proof.' },
    ),
  }),

  gather: ({ audit }) => audit.run(),

  handle: async (_tx, _input, { at, differences, proofs, orders, transfers }) => ({
    holds: differences.length === 0,
    at: at.toISOString(),
    proofs,
    orders,
    transfers,
    differences: differences.map(({ proof, row }) => ({ proof, row })),
  }),
});
