import { spanOf, type Tracing } from './tracing.ts';

/**
 * Gateways whose calls are spans of the job that makes them. Arguments and answers are in no span,
 * and no gateway tells an outside system of the trace: others choose many of their addresses.
 */
export const withSpans = <T extends object>(gateways: T, traces: Tracing | undefined): T =>
  traces ? (traced(traces, 'gateway', gateways) as T) : gateways;

function traced(traces: Tracing, path: string, target: object): object {
  const known = new Map<string, unknown>();
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof name === 'symbol') return value;
      let found = known.get(name);
      if (found === undefined) known.set(name, (found = part(name, value)));
      return found;
    },
    apply: (call, _, sent: unknown[]) =>
      tracedResult(path, Reflect.apply(call as Call, null, sent)),
  });

  /** A gateway, or one of its functions. */
  function part(name: string, value: unknown): unknown {
    if (typeof value === 'function' && path !== 'gateway') {
      return (...sent: unknown[]) => called(`${path}.${name}`, value as Call, sent);
    }
    const isPart = typeof value === 'function' || (typeof value === 'object' && value !== null);
    return isPart ? traced(traces, name, value) : value;
  }

  /** The gateway of a rail, as `gateways.chains` gives it. */
  function tracedResult(name: string, result: unknown): unknown {
    return typeof result === 'object' && result !== null ? traced(traces, name, result) : result;
  }

  function called(name: string, call: Call, sent: unknown[]): unknown {
    if (!traces.active()) return Reflect.apply(call, target, sent);
    const span = traces.start(name, 'client', { attributes: { 'market.gateway': path } });
    return spanOf(span, () => traces.within(span, () => Reflect.apply(call, target, sent)));
  }
}

type Call = (...sent: unknown[]) => unknown;
