/** The blocks of a stream of server-sent events, as they arrive, without the empty line between. */
export async function* blocksOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    yield* blocks;
  }
  return undefined;
}
