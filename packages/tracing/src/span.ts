/** What a span is, to those who make one and to what records it. */
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
