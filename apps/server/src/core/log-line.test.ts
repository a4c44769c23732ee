import { expect, it } from 'vitest'
import { logLine } from './log-line.ts'

it('what a job says of its failure is one line with its time, whatever a server answered', () => {
  const line = logLine('error', 'Failed task: 550 no\r\ninfo: all is well\u001b[2K', new Date(5))
  expect(line).not.toMatch(/[\r\n]./)
  expect(line).not.toContain('\u001b')
  expect(JSON.parse(line)).toEqual({
    level: 50,
    time: 5,
    msg: 'Failed task: 550 no\r\ninfo: all is well\u001b[2K',
  })
})
