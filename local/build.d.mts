/** Builds the programs below this folder; returns the folder of api.js, worker.js … */
export declare function buildCached(cache: string): Promise<string>;
