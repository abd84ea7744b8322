/** In the words of an operator, what `fetch` throws in its own when nobody answers. */
export async function answerOf<T>(who: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isSilent = error instanceof Error && /fetch failed|aborted/.test(error.message);
    throw isSilent ? new Error(`${who} does not answer`, { cause: error }) : error;
  }
}
