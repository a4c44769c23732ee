/** A reason not to start, or to stop, in one clear line for the person at the terminal. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The system's name of an error (`EADDRINUSE`), or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** One line, whatever was thrown. */
export function lineOf(error: unknown): string {
  const text =
    error instanceof AggregateError
      ? String(error.errors[0]?.message ?? error)
      : String((error as Error)?.message ?? error)
  return text.split('\n')[0] ?? ''
}
