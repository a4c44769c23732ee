import { z } from 'zod'
import { instant } from './common.ts'

/**
 * GET demo/: whether this is the local demo, its clock, whether a day is being advanced right now, and where its mail can
 * be read (a path; null where mail really goes out), and the codes of its operators (a path).
 */
export const demoState = z.object({
  enabled: z.boolean(),
  now: instant,
  advancing: z.boolean(),
  mail: z.string().nullable(),
  codes: z.string().nullable(),
})
export type DemoState = z.infer<typeof demoState>
