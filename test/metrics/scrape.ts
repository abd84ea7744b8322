/** One line of a scrape. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A scrape as Prometheus understands it; throws where it would not. */
export class Scrape {
  /** By name: counter, gauge, histogram or summary. */
  readonly types = new Map<string, string>();
  readonly samples: Sample[] = [];

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const type = /^# TYPE ([a-z0-9_:]+) (counter|gauge|histogram|summary)$/.exec(line);
      if (type) this.#addType(type[1]!, type[2]!);
      else if (line !== '' && !/^# HELP [a-z0-9_:]+ \S/.test(line))
        this.samples.push(sampleOf(line));
    }
  }

  #addType(name: string, type: string): void {
    if (this.types.has(name)) throw new Error(`${name} is there twice`);
    this.types.set(name, type);
  }

  /** The sum of all samples of this name with these labels; undefined: there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = /^([a-z0-9_:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  // Also `Nan`, which Prometheus reads in any case.
  if (!name || !/^([\d.e+-]+|[+-]?Inf|NaN)$/i.test(value!)) throw new Error(line);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
  const read = Object.fromEntries(pairs.map(([, label, text]) => [label, text]));
  return { name, labels: read as Record<string, string>, value: Number(value) };
}
