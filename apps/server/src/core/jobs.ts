import type { Context } from './context.ts'

/** What a feature's job handlers are given. `worker.ts` collects them; each may be run again after a crash. */
export interface JobContext extends Context {
  /** The system's time. */
  readonly systemNow: () => Date
}
