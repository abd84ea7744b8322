import type { Log } from '../log.ts';

/** The result of an export: 0 is success, as the packages say it. */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<B> {
  export(batch: B, done: (result: ExportResult) => void): void;
}

/** Says once that a collector is away, and once that it is back, with what was lost. */
export function openExportReport() {
  let log: Log | undefined;
  const report = {
    to(opened: Log): void {
      log = opened;
    },
    /** The same exporter, whose results are reported. */
    of<B, E extends Exporter<B>>(
      what: string,
      exporter: E & Exporter<B>,
      sizeOf: (batch: B) => number,
    ): E {
      let lost = 0;
      const send = exporter.export.bind(exporter);
      exporter.export = (batch, done) =>
        send(batch, (result) => {
          if (result.code !== 0) {
            if (lost === 0) {
              log?.warn(
                { err: result.error },
                `the collector does not take ${what}: they are lost`,
              );
            }
            lost += sizeOf(batch);
          } else if (lost > 0) {
            log?.info({ lost }, `the collector takes ${what} again`);
            lost = 0;
          }
          done(result);
        });
      return exporter;
    },
  };
  return report;
}
