/** A page of logs, or of transactions, is the longest answer of a node. */
const ANSWER_BYTES_MAX = 16 * 2 ** 20;

/** What a node answers. Counted as it comes, because an answer need not say how long it is. */
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
