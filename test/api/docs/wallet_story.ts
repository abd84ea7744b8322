import { Wallet } from 'ethers';

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** An outside wallet becomes an agent's, and is no longer. */
export async function tellOfWallets(call: Call, key: string): Promise<void> {
  const signer = new Wallet(`0x${'11'.repeat(32)}`);
  const wallet = { network: 'evm', address: signer.address };
  const { message } = await call('link_wallet', wallet, key);
  const signature = await signer.signMessage(String(message));
  await call('link_wallet', { ...wallet, signature }, key);
  await call('unlink_wallet', wallet, key);
}

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
