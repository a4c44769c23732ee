import { expect, it } from 'vitest'
import { isMailed, seenBy } from './notifications.rules.ts'

it('a role sees what it may read, and gets by mail what is its own work unless the operator chose otherwise', () => {
  expect(seenBy('support')).not.toContain('pool_low')
  expect(seenBy('support')).toContain('chat_waits')
  expect(isMailed('chat_waits', 'support', {})).toBe(true)
  expect(isMailed('chat_waits', 'treasurer', {})).toBe(false)
  expect(isMailed('chat_waits', 'treasurer', { chat_waits: true })).toBe(true)
  expect(isMailed('run_held', 'treasurer', { run_held: false })).toBe(false)
})

it('nobody is mailed what the role does not see, nor twice what an alert of its own says', () => {
  expect(isMailed('pool_low', 'support', { pool_low: true })).toBe(false)
  expect(isMailed('payments_stopped', 'admin', { payments_stopped: true })).toBe(false)
})
