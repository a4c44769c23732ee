/** A line of the worker's log, as the API writes its own: JSON, so that no text from outside begins a line. @param at system time */
export const logLine = (level: string, message: string, at: Date): string =>
  `${JSON.stringify({ level, time: at.getTime(), msg: message })}\n`
