import { expect, test } from 'vitest'
import { judgeAudit, readAudit } from './audit.ts'

const hole = (name: string, severity: string) => ({ name, severity, range: '<2' })

test('nothing known to be wrong ends with 0', () => {
  expect(judgeAudit([], []).code).toBe(0)
})

test.each(['high', 'critical'])('a %s hole in what ships ends with 1', (severity) => {
  expect(judgeAudit([hole('a', severity)], [hole('a', severity)]).code).toBe(1)
})

test('a moderate hole, and a critical one that does not ship, are said and end with 0', () => {
  const { code, lines } = judgeAudit([hole('a', 'moderate')], [hole('a', 'moderate'), hole('b', 'critical')])
  expect(code).toBe(0)
  expect(lines).toEqual(['In what ships: 1', '  moderate: a <2', 'In the rest: 1', '  critical: b <2'])
})

test.each(['', 'no JSON', '{"error":{"code":"ENOTFOUND"}}'])(
  'the answer %j says that nobody could be asked',
  (answer) => {
    expect(readAudit(answer)).toBeNull()
    expect(judgeAudit(readAudit(answer), []).code).toBe(2)
  },
)
