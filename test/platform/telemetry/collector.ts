import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly service: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly string[];
  readonly isFailed: boolean;
}

interface ReceivedMetric {
  readonly name: string;
  readonly service: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- one of the forms of OTLP
  readonly data: any;
}

type Behaviour = (res: ServerResponse) => void;
export const accept: Behaviour = (res) =>
  res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
export const refuse: Behaviour = (res) => res.writeHead(400).end();
export const hang: Behaviour = () => undefined;

/** A small real receiver of OTLP by HTTP and JSON. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const bodies: string[] = [];
  const requests: IncomingMessage[] = [];
  let behave: Behaviour = accept;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      bodies.push(text);
      requests.push(req);
      if (behave === accept) {
        if (req.url === '/v1/traces') spans.push(...spansIn(text));
        if (req.url === '/v1/metrics') metrics.push(...metricsIn(text));
      }
      behave(res);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    bodies,
    requests,
    behave: (next: Behaviour) => (behave = next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type Collector = Awaited<ReturnType<typeof startCollector>>;

// oxlint-disable typescript/no-explicit-any -- OTLP as it is sent
const attributesOf = (attributes: any[] = []): Record<string, string | number | boolean> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );

const serviceOf = ({ resource }: any) =>
  String(attributesOf(resource.attributes)['service.name'] ?? '');

const spansIn = (text: string): ReceivedSpan[] =>
  JSON.parse(text).resourceSpans.flatMap((ofProcess: any) =>
    ofProcess.scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        service: serviceOf(ofProcess),
        attributes: attributesOf(span.attributes),
        links: (span.links ?? []).map(({ spanId }: any) => spanId),
        isFailed: span.status?.code === 2,
      })),
    ),
  );

const metricsIn = (text: string): ReceivedMetric[] =>
  JSON.parse(text).resourceMetrics.flatMap((ofProcess: any) =>
    ofProcess.scopeMetrics.flatMap(({ metrics }: any) =>
      metrics.map(({ name, ...data }: any) => ({ name, service: serviceOf(ofProcess), data })),
    ),
  );
