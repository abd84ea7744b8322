/** Builds the programs below this folder; answers where api.js, worker.js … are. */
export declare function buildCached(cache: string): Promise<string>;
