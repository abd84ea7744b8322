/** Replaces the error of `fetch` when nobody answers by one in the words of an operator. */
export async function answerOf<T>(who: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isSilent = error instanceof Error && /fetch failed|aborted/.test(error.message);
    throw isSilent ? new Error(`${who} does not answer`, { cause: error }) : error;
  }
}
