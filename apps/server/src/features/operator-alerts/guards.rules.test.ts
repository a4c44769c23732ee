import { expect, it } from 'vitest'
import { changedGuards, isOtherKeyFile, loweredSettings } from './guards.rules.ts'

it('guards of a plan are named with what they were and become', () => {
  const before = { changePercent: '50', runMost: '1000' }
  expect(changedGuards(before, before)).toEqual([])
  expect(changedGuards(before, { changePercent: '50', runMost: '2000', memberMost: '5' })).toEqual([
    'runMost: 1000 → 2000',
    'memberMost: – → 5',
  ])
  expect(changedGuards(before, { changePercent: '50' })).toEqual(['runMost: 1000 → –'])
})

it.each([
  ['the first start', null, { captcha: 'off', cooling_hours: '0' }, []],
  ['the same', { captcha: 'on', cooling_hours: '24' }, { captcha: 'on', cooling_hours: '24' }, []],
  ['raised', { captcha: 'off', cooling_hours: '9' }, { captcha: 'on', cooling_hours: '24' }, []],
  [
    'the proof of work off',
    { captcha: 'on', cooling_hours: '9' },
    { captcha: 'off', cooling_hours: '9' },
    ['captcha'],
  ],
  // As text 9 would be more than 24.
  [
    'less cooling',
    { captcha: 'on', cooling_hours: '24' },
    { captcha: 'on', cooling_hours: '9' },
    ['cooling'],
  ],
])('settings of %s', (_what, before, after, lowered) => {
  expect(loweredSettings(before, after).map(({ guard }) => guard)).toEqual(lowered)
})

it('a key file is another one by its version or its policy', () => {
  const used = { version: '3', policy: 'aa' }
  expect(isOtherKeyFile(null, used)).toBe(false)
  expect(isOtherKeyFile(used, { ...used })).toBe(false)
  expect(isOtherKeyFile(used, { ...used, version: '4' })).toBe(true)
  expect(isOtherKeyFile(used, { ...used, policy: 'bb' })).toBe(true)
})
