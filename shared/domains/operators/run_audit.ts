import { operation } from '../../kernel/operation.ts';
import { Input, OneOf, Output, Time, Type } from '../../kernel/schema.ts';

export const runAudit = operation({
  name: 'run_audit',
  title: 'Run the audit',
  summary:
    'Operators: checks all proofs of the books in one snapshot, and lists the rows that fail. A ' +
    'long history takes minutes; nobody waits for it. The same as npm run audit.',
  access: 'operator',
  mode: 'job',
  queue: 'bulk',
  rest: 'POST /api/v1/admin/audit',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'books' } },
  gatherMs: 9 * 60_000,
  input: Input({}),
  output: Output('AuditReport', {
    holds: Type.Boolean({ description: 'Whether every proof holds.' }),
    at: Time('The moment of the snapshot.'),
    server: OneOf(['primary', 'standby'], 'Server that answered.'),
    proofs: Type.Integer({ description: 'Proofs checked.' }),
    orders: Type.Integer({ description: 'Orders checked.' }),
    transfers: Type.Integer({ description: 'Transfers checked.' }),
    differences: Type.Array(
      Output('AuditDifference', {
        proof: Type.String({ description: 'The proof that fails.' }),
        row: Type.Unknown({ description: 'The row it fails for.' }),
      }),
      { maxItems: 10_000, description: 'At most 20 rows of a proof.' },
    ),
  }),

  gather: ({ audit }) => audit.run(),

  handle: async (_tx, _input, { at, server, differences, proofs, orders, transfers }) => ({
    holds: differences.length === 0,
    at: at.toISOString(),
    server,
    proofs,
    orders,
    transfers,
    differences: differences.map(({ proof, row }) => ({ proof, row })),
  }),
});
