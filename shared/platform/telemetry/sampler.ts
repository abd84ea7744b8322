import { isSpanContextValid, SamplingDecision, trace, TraceFlags } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';

import type { TelemetrySettings } from './settings.ts';

/**
 * Decides once a trace, where it enters: all spans below follow. The ratio bounds what is exported,
 * whatever callers ask for: they choose trace ids, so the decision is not computed from these. A
 * caller that says "not sampled" is left out by the samplers that respect parents.
 */
export function samplerOf({ ratio, respectsParents }: TelemetrySettings['sampling']): Sampler {
  const isSampled = (parent: ReturnType<typeof trace.getSpanContext>): boolean => {
    if (parent && isSpanContextValid(parent)) {
      const isAsked = (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
      if (!parent.isRemote) return isAsked;
      if (respectsParents && !isAsked) return false;
    }
    return Math.random() < ratio;
  };
  return {
    shouldSample: (context) => ({
      decision: isSampled(trace.getSpanContext(context))
        ? SamplingDecision.RECORD_AND_SAMPLED
        : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `bounded by ${ratio}`,
  };
}
