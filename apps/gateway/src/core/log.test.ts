import { expect, it } from 'vitest'
import { createLog, describeError } from './log.ts'

it('an entry is one line of JSON with its time in UTC, whatever stands in it', () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  log.warn('node.failed', { reason: 'x\r\n{"level":"info","event":"all.well"}\u2028\u001b[2K', amount: 5n })
  expect(lines).toHaveLength(1)
  const [line = ''] = lines
  expect(line.match(/[\r\n]/g)).toEqual(['\n'])
  expect(line).not.toContain('\u001b')
  expect(JSON.parse(line)).toMatchObject({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: 'warn',
    part: 'gateway',
    event: 'node.failed',
    amount: '5',
  })
})

it('an error is said in one line', () => {
  expect(describeError(new Error('first\nsecond\r\nthird'))).toBe('first second third')
})
