import { expect, it } from 'vitest'
import { type Followed, follow } from './log-shipping.rules.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 4, 3, 12, minute))

/**
 * Looks once a minute.
 *
 * @param looks up to where the log was written, and up to where the receiver had it
 * @returns the minutes until which it had all
 */
function watch(looks: string): string {
  let followed: Followed | null = null
  const minutes = looks.split(', ').map((look, minute) => {
    const [place = '', kept = ''] = look.split('/')
    followed = follow(followed, { at: at(minute), place: BigInt(place) }, kept === '-' ? null : BigInt(kept))
    return followed.until.getUTCMinutes()
  })
  return minutes.join(' ')
}

it.each([
  ['who keeps up has all of it', '10/10, 20/20, 20/20', '0 1 2'],
  ['who is always a little behind has what was there a look before', '10/9, 20/19, 30/29', '0 0 1'],
  ['who stands still falls behind', '10/10, 20/10, 30/10, 40/19', '0 0 0 0'],
  ['who catches up has all again', '10/5, 20/5, 30/5, 30/30', '0 0 0 3'],
  ['for whom nothing is kept any more has no more than before', '10/10, 20/20, 30/-, 40/-', '0 1 1 1'],
])('%s', (_name, looks, minutes) => {
  expect(watch(looks)).toBe(minutes)
})
