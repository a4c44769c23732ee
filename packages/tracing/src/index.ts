/**
 * Spans of what a process does, sent to a collector by OTLP where one is set. Without one nothing is loaded, made or kept: `inSpan` calls
 * its work and that is all.
 *
 * A span has names of calls and jobs, numbers of transactions and blocks, and how it ended. It never has who it was, an amount, an
 * address, a body or the text of an error (decision 065).
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Span {
  /** As W3C writes it; null where nothing is recorded. What is stored under it goes on in the same trace. */
  readonly traceparent: string | null
  set(name: string, value: string | number | boolean): void
  /** It was about nothing: it is not sent. */
  drop(): void
}

export interface SpanOptions {
  readonly kind?: 'server' | 'consumer' | 'client'
  /** The traceparent that it goes on from; null begins a trace. Without it: the span in which it is made, if there is one. */
  readonly parent?: string | null
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
  /** When it began, where that was earlier. */
  readonly since?: Date
}

export interface RecordedSpan extends Span {
  /** @param error what ended it, if anything did */
  end(error?: unknown): void
}

export interface Recorder {
  begin(name: string, options: SpanOptions): RecordedSpan
  stop(): Promise<void>
}

export interface TracingSettings {
  /** Base address of the collector; `/v1/traces` follows. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** What part of the traces is recorded, 0 to 1. A trace is recorded whole or not at all. */
  readonly share: number
}

const NOTHING: Span = { traceparent: null, set: () => undefined, drop: () => undefined }

let recorder: Recorder | null = null
const current = new AsyncLocalStorage<Span>()

/** The span in which this runs. */
export const activeTraceparent = (): string | null =>
  recorder === null ? null : (current.getStore()?.traceparent ?? null)

/** Runs `work` in a span of this name, which lasts as long as it does. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (recorder === null) return work(NOTHING)
  const span = recorder.begin(name, { parent: activeTraceparent(), ...options })
  try {
    const result = await current.run(span, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** A span of what has happened already. */
export function recordSpan(name: string, options: SpanOptions): void {
  recorder?.begin(name, options).end()
}

export const isTracing = (): boolean => recorder !== null

/**
 * Begins to record.
 * @param service the name of this process
 * @param report is told, now and then, that the collector does not take what is sent
 * @returns stops, having sent what is left
 */
export async function startTracing(
  settings: TracingSettings,
  service: string,
  report: (line: string) => void,
): Promise<() => Promise<void>> {
  // Only where it is wanted: 240 files, a tenth of a second and 24 MB.
  const { createRecorder } = await import('./export.ts')
  const started = createRecorder(settings, service, report)
  recorder = started
  return async () => {
    recorder = null
    await started.stop()
  }
}
