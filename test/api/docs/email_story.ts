import type { Call } from './wallet_story.ts';

/** Addresses are validated: one, two at once, and a file of them. */
export async function tellOfEmail(call: Call, key: string): Promise<void> {
  await call('validate_email', { email: 'ada@mail.example' }, key);
  const emails = ['ada@mail.example', 'nobody@no-such-domain.example'];
  await call('validate_emails', { emails }, key);
  const content = 'name,email\nAda,ada@mail.example\nBob,bob@mail.example\n';
  const { file_id } = await call('upload_email_file', { content, name: 'spring.csv' }, key);
  await call('get_email_file', { file_id }, key);
  await call('validate_email_file', { file_id }, key);
  await call('get_email_results', { file_id, limit: 2 }, key);
  await call('list_email_files', {}, key);
  await call('delete_email_file', { file_id }, key);
}
