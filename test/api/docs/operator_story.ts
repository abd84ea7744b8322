import { OPERATOR_TOKEN } from '../../access/scene.ts';

/** Calls of operators, with what they look at. */
export async function tellOfOperators(
  call: (name: string, input: object, key?: string) => Promise<unknown>,
  orderId: number,
): Promise<void> {
  const boards = ['operator_overview', 'money_board', 'queue_status', 'rails_status'];
  for (const board of [...boards, 'operator_machine', 'first_steps', 'mail_reputation']) {
    await call(board, {}, OPERATOR_TOKEN);
  }
  await call('operator_find', { query: `#${orderId}` }, OPERATOR_TOKEN);
}
