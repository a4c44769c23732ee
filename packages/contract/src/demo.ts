import { z } from 'zod'
import { instant } from './common.ts'

/** GET demo/: whether this is the local demo, its clock, and whether a day is being advanced right now. */
export const demoState = z.object({ enabled: z.boolean(), now: instant, advancing: z.boolean() })
export type DemoState = z.infer<typeof demoState>
