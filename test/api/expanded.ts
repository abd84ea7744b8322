/** The document with each shape where it is used, in place of a reference to its name. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any document
export function expanded(document: any): any {
  const schemas = document.components.schemas as Readonly<Record<string, unknown>>;
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (value === null || typeof value !== 'object') return value;
    const { $ref, ...rest } = value as { $ref?: string; [field: string]: unknown };
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec($ref ?? '') ?? [];
    const own = Object.entries($ref === undefined || name ? rest : { $ref, ...rest });
    const fields = Object.fromEntries(own.map(([field, inner]) => [field, expand(inner)]));
    return name ? { ...(expand(schemas[name]) as object), ...fields } : fields;
  };
  return expand(document);
}
