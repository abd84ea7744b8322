/** A source map, as JSON, without what it says of packages. */
export declare function withoutPackages(text: string): string;
