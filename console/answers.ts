import type { Static, TSchema } from '../shared/kernel/schema.ts';

/**
 * The operations that pages read, by name, so that a view is typed by what they answer. A page that
 * reads another one adds its line here. Only types: at run time a page names operations.
 */
interface Read {
  get_wallet: typeof import('../shared/wallet/get_wallet.ts').getWallet;
  inbox: typeof import('../shared/inbox/inbox.ts').inbox;
  list_children: typeof import('../shared/agents/list_children.ts').listChildren;
  wallet_statement: typeof import('../shared/wallet/wallet_statement.ts').walletStatement;
  market_stats: typeof import('../shared/market/market_stats.ts').marketStats;
  get_job: typeof import('../shared/jobs/get_job.ts').getJob;
}

export type ReadName = keyof Read;

type AnswerFrom<O> = O extends { readonly output: infer S extends TSchema } ? Static<S> : never;

/** What an operation answers. */
export type AnswerOf<N extends ReadName> = AnswerFrom<Read[N]>;
