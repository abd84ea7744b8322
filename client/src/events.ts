import type { Answer, CallOptions, Input, Schemas } from './operations.ts';

const WAIT_SECONDS = 25;

type ListEvents = (
  name: 'list_events',
  input: Input<'list_events'> & { wait: number },
  options: CallOptions,
) => Promise<unknown>;

/**
 * Events, one after the other, each at least once: iterate it. `cursor` is behind the last page
 * that was taken. A program that stores it continues from there when it starts again, and may then
 * see a few events a second time.
 */
export class EventFeed implements AsyncIterable<Schemas['Event']> {
  readonly #list: ListEvents;
  readonly #type: string | undefined;
  readonly #signal: AbortSignal | undefined;
  cursor: string | undefined;

  constructor(
    list: ListEvents,
    options: { readonly type?: string; readonly cursor?: string; readonly signal?: AbortSignal },
  ) {
    this.#list = list;
    this.#type = options.type;
    this.#signal = options.signal;
    this.cursor = options.cursor;
  }

  /** Remembers the current position, before anything else happens; else the iteration does. */
  async begin(): Promise<void> {
    this.cursor ??= (await this.#page({ from: 'now', limit: 1 }, 0)).next_cursor ?? undefined;
  }

  /** Ends when the signal is aborted, between two events; it also ends a waiting request. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Schemas['Event'], void> {
    await this.begin();
    for (;;) {
      const page = await this.#page({ ...(this.cursor && { cursor: this.cursor }) }, WAIT_SECONDS);
      for (const event of page.events) {
        if (this.#signal?.aborted) return;
        yield event;
      }
      this.cursor = page.next_cursor ?? this.cursor;
    }
  }

  async #page(input: Input<'list_events'>, wait: number): Promise<Answer<'list_events'>> {
    const type = this.#type === undefined ? {} : { type: this.#type };
    const signal = this.#signal ? { signal: this.#signal } : {};
    return (await this.#list(
      'list_events',
      { ...input, ...type, wait },
      signal,
    )) as Answer<'list_events'>;
  }
}
