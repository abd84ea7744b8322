/** A source map as JSON, without the parts about packages. */
export declare function withoutPackages(text: string): string;
