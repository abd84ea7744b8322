/** Builds the programs below this folder; returns the folder of api.js, worker.js … */
export declare function buildCached(cache: string): Promise<string>;

/** Builds programs of the checkout below this folder; returns their files. */
export declare function buildPrograms(programs: readonly string[], cache: string): string[];
