import { setTimeout as pause } from 'node:timers/promises'
import { demoState } from '@aval/contract'
import { route, routes } from '../../http/route.ts'
import { advanceDay, readDemo } from './demo.commands.ts'

const POLL_EVERY_MS = 100
const POLLS = 150

/** Polls a limited number of times; a run that takes longer goes on without this call. */
function limitedWait(): () => Promise<boolean> {
  let left = POLLS
  return async () => {
    left -= 1
    await pause(POLL_EVERY_MS)
    return left > 0
  }
}

const tags = ['demo']

export const demoRoutes = routes({
  readDemo: route({
    call: 'GET /demo/',
    summary: 'Whether this is the local demo, and its clock',
    tags,
    access: 'public',
    response: { 200: demoState },
    handler: (_input, call) => readDemo(call),
  }),
  advanceDemoDay: route({
    call: 'POST /demo/advance-day/',
    summary: 'Advances the demo to the next morning and pays its runs',
    tags,
    access: 'member',
    response: { 200: demoState },
    refuses: ['demo_only', 'demo_busy'],
    handler: (_input, call) => advanceDay(call, limitedWait()),
  }),
})
