/** Builds the programs below this folder; returns the folder of api.js, worker.js … */
export declare function buildCached(cache: string): Promise<string>;

/** Builds one program of the checkout below this folder; returns its file. */
export declare function buildProgram(program: string, cache: string): string;
