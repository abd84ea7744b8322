/** The blocks of a stream of server-sent events, as they arrive, without the empty line between. */
export async function* blocksOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, undefined> {
  // The types of Node and of browsers differ here.
  const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
  let text = '';
  for await (const chunk of body.pipeThrough(decoder)) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    yield* blocks;
  }
  return undefined;
}
