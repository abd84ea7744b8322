/** The longest answers of a node are pages of logs or of transactions. */
const ANSWER_BYTES_MAX = 16 * 2 ** 20;

/** The body of a node's answer. Counted as it arrives, because it may state no length. */
export async function answerText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
