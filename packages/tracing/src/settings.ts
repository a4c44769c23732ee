/** The settings of tracing, by the names that OpenTelemetry gives them. */
import { z } from 'zod'
import type { TracingSettings } from './span.ts'

const HEADERS = 'is no list of the form name=value,name=value'

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'is no address beginning with http:// or https://' })
    .optional(),
  /** May hold what the collector knows us by: a secret. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,=]+(,[\w-]+=[^,=]+)*$/, HEADERS)
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0+)?)$/, 'is no number from 0 to 1')
    .optional(),
}
type Values = { readonly [Name in keyof typeof tracingSettings]?: string | undefined }

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Null: nothing is traced. */
export function presentTracing(values: Values): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = values
  if (endpoint === undefined) return null
  const pairs = headers.split(',').filter((text) => text !== '')
  return {
    endpoint,
    headers: Object.fromEntries(pairs.map((text) => text.split('=').map(decoded))),
    share: Number(values.OTEL_TRACES_SAMPLER_ARG ?? '1'),
  }
}
