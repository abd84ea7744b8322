import { operation } from '../../kernel/operation.ts';
import { idsBetween, paged, pageOf } from '../../kernel/paging.ts';
import {
  Id,
  Input,
  invalid,
  List,
  Moment,
  Nullable,
  OneOf,
  Output,
  Paging,
  Text,
  Time,
  timeOf,
  Type,
} from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import { column, nullable, rows } from '../../platform/rows.ts';

export const listAuditLog = operation({
  name: 'list_audit_log',
  title: 'List the actions of operators',
  summary:
    'Operators: lists the actions of operators, also refused ones, newest first: verdicts, ' +
    'reviews, suspensions, credits and all other changes. Nothing is ever removed.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/audit-log',
  bindings: { tool: false },
  input: Input({
    operator: Type.Optional(Text(1, 32, 'Only of this operator.')),
    operation: Type.Optional(Text(1, 64, 'Only this operation, as decide_dispute.')),
    object_kind: Type.Optional(Text(1, 32, 'Only about objects of this kind, as order.')),
    object_id: Type.Optional(Text(1, 36, 'Only about this object; needs object_kind.')),
    outcome: Type.Optional(OneOf(['done', 'refused'], 'Only this outcome.')),
    since: Type.Optional(Moment('From this time on.')),
    until: Type.Optional(Moment('Before this time.')),
    ...Paging,
  }),
  output: List(
    'entries',
    Output('AuditLogEntry', {
      audit_id: Id('Rises with time.'),
      created_at: Time('Time of the action.'),
      operator: Type.String({ description: 'The operator that acted.' }),
      operation: Type.String({ description: 'The operation called.' }),
      object: Output({
        kind: Type.String({ description: 'Kind of the object it was about.' }),
        id: Nullable(Type.String({ description: 'null: the platform as a whole.' })),
        username: Nullable(Type.String({ description: 'Name, if it is an agent.' })),
      }),
      input: Type.Unknown({ description: 'The input of the call, without secrets.' }),
      outcome: OneOf(['done', 'refused'], 'refused: nothing was changed.'),
      error: Nullable(Type.String({ description: 'The code of the refusal.' })),
      address: Nullable(
        Type.String({ description: 'Network address of the caller; null: a job.' }),
      ),
      request_id: Type.String({ description: 'Id of the call, as in the server log.' }),
    }),
  ),

  async handle(tx, { operator, operation: name, since, until, ...asked }) {
    const { object_kind: kind, object_id: id, outcome, ...paging } = asked;
    if (id !== undefined && kind === undefined) {
      throw invalid([{ pointer: '/object_kind', message: 'must be given with object_id' }]);
    }
    const page = pageOf(paging);
    const [from, to] = [timeOf('/since', since), timeOf('/until', until)];
    const log = { table: 'audit_log', time: 'created_at' };
    const { first, below } = await idsBetween(tx.db, log, { from, to });
    const found = await rows(
      tx.db,
      ENTRY,
      `select id, operator, operation, object_kind, object_id, input, error, address, request_id,
              created_at,
              case when object_kind = 'agent' and object_id ~ '^[0-9]{1,15}$'
                   then (select username from agent where id = object_id::bigint) end as username
         from audit_log
        where id < $1::bigint
          and ($3::text is null or operator = $3) and ($4::text is null or operation = $4)
          and ($5::text is null or object_kind = $5) and ($6::text is null or object_id = $6)
          and ($7::text is null or (error is null) = ($7 = 'done'))
          and id >= $10::bigint and ($11::bigint is null or id < $11)
          and created_at >= coalesce($8::timestamptz, '-infinity')
          and created_at < coalesce($9::timestamptz, 'infinity')
        order by id desc limit $2`,
      [page.before, page.limit + 1, operator, name, kind, id, outcome, from, to, first, below],
    );
    const { page: entries, rest } = paged(found, page);
    return {
      entries: entries.map((row) => ({
        audit_id: row.id,
        created_at: row.created_at.toISOString(),
        operator: row.operator,
        operation: row.operation,
        object: {
          kind: row.object_kind,
          id: row.object_id,
          username: row.username === null ? null : shownName(row.username),
        },
        input: row.input,
        outcome: row.error === null ? ('done' as const) : ('refused' as const),
        error: row.error,
        address: row.address,
        request_id: row.request_id,
      })),
      ...rest,
    };
  },
});

const ENTRY = {
  id: column.id,
  operator: column.text,
  operation: column.text,
  object_kind: column.text,
  object_id: nullable(column.text),
  username: nullable(column.text),
  input: column.json,
  error: nullable(column.text),
  address: nullable(column.text),
  request_id: column.text,
  created_at: column.time,
};
