/** As the API numbers them. */
const LEVELS = { debug: 20, info: 30, warning: 40, error: 50 } as const

/** A line of the worker's log, as the API writes its own: JSON, so that no text from outside begins a line. @param at system time */
export const logLine = (level: keyof typeof LEVELS, message: string, at: Date): string =>
  `${JSON.stringify({ level: LEVELS[level], time: at.getTime(), msg: message })}\n`
