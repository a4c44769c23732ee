/** The OpenTelemetry side: loaded only where a collector is set. */
import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Recorder, TracingSettings } from './span.ts'

const STOP_MS = 2_000
const REPORT_EVERY_MS = 600_000
const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/

function contextOf(traceparent: string | null | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true })
}

/** What kind of error it was: its text may repeat what somebody sent. */
const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
}

/** Says seldom what happens often. */
function seldom(report: (line: string) => void): () => void {
  let until = 0
  return () => {
    const now = performance.now()
    if (now < until) return
    until = now + REPORT_EVERY_MS
    report('the collector of traces does not take what is sent')
  }
}

export function createRecorder(
  settings: TracingSettings,
  service: string,
  report: (line: string) => void,
): Recorder {
  const { endpoint, headers, share } = settings
  const failed = seldom(report)
  const quiet = {
    error: failed,
    warn: failed,
    info: () => undefined,
    debug: () => undefined,
    verbose: () => undefined,
  }
  diag.setLogger(quiet, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: 10_000,
    concurrencyLimit: 2,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'aval' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    // What does not fit is dropped: a collector that is away costs memory for two thousand spans and nothing else.
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 2_048, scheduledDelayMillis: 1_000 })],
  })
  const tracer = provider.getTracer('aval')
  return {
    begin(name, { kind, parent, attributes = {}, since }) {
      const span = tracer.startSpan(
        name,
        {
          ...(kind !== undefined && { kind: KINDS[kind] }),
          attributes: { ...attributes } satisfies Attributes,
          ...(since !== undefined && { startTime: since }),
        },
        contextOf(parent),
      )
      const { traceId, spanId, traceFlags } = span.spanContext()
      let isDropped = false
      return {
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
        set: (key, value) => void span.setAttribute(key, value),
        drop: () => {
          isDropped = true
        },
        end(error) {
          if (isDropped) return
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: kindOf(error) })
          span.end()
        },
      }
    },
    async stop() {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([provider.shutdown().catch(failed), limit])
    },
  }
}
