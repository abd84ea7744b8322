import { itemOfFields, type Item } from './items.ts';

/** The reader of the list `proxies` of a configuration of Clash. */
interface YamlItems {
  /** Reads a line with its indentation; false: it is not of the list, which has ended. */
  read(line: string): boolean;
  end(): void;
}

const FIELD = /["']?([\w-]+)["']?\s*:\s*("[^"]*"|'[^']*'|[^,{}]*)/g;

/**
 * Reads entries of two forms: `- { server: 8.8.8.8, port: 1080 }`, and one field a line. Only the
 * lines of that list are read, not YAML, which no stream can be read as.
 */
export function yamlItems(onItem: (item: Item) => void): YamlItems {
  let fields: Map<string, string> | undefined;
  let isOver = false;

  function end(): void {
    const known = fields;
    fields = undefined;
    if (known) onItem(itemOfFields((name) => known.get(name)));
  }

  return {
    end,
    read(line) {
      const text = line.trim();
      if (isOver) return false;
      if (text === '' || text.startsWith('#')) return true;
      const [, dash, rest] = /^\s*(-\s+)?(.*)$/.exec(line)!;
      if (dash === undefined && !/^\s/.test(line)) {
        end();
        isOver = true;
        return false;
      }
      if (dash !== undefined) {
        end();
        fields = new Map();
      }
      for (const [, name, value] of rest!.matchAll(FIELD)) {
        const plain = value!.trim().replace(/^(["'])(.*)\1$/, '$2');
        fields?.set(name!.toLowerCase(), plain);
      }
      return true;
    },
  };
}
