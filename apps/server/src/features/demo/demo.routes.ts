import { setTimeout as pause } from 'node:timers/promises'
import { demoState } from '@aval/contract'
import type { Context } from '../../core/context.ts'
import type { Api } from '../../http/api.ts'
import { advanceDay, readDemo } from './demo.commands.ts'

const LOOK_EVERY_MS = 100
const LOOKS = 150

/** Looks a limited number of times; a run that takes longer goes on without us. */
function patience(): () => Promise<boolean> {
  let left = LOOKS
  return async () => {
    left -= 1
    await pause(LOOK_EVERY_MS)
    return left > 0
  }
}

export function demoRoutes(api: Api, context: Context): void {
  api.get('/demo/', { config: { access: 'public' }, schema: { response: { 200: demoState } } }, async () =>
    readDemo(context),
  )

  api.post(
    '/demo/advance-day/',
    { config: { access: 'member' }, schema: { response: { 200: demoState } } },
    async () => advanceDay(context, patience()),
  )
}
