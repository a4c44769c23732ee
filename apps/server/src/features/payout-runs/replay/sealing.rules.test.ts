import { micro } from '@aval/money'
import { expect, it } from 'vitest'
import type { Item, Missed } from '../runs/runs.rules.ts'
import { sealing } from './sealing.rules.ts'

/** Instead of a hash the text itself, so that what is hashed can be read. */
const plainDigest = () => {
  let text = ''
  return {
    update: (more: string, encoding: string) => {
      text += `${encoding === 'hex' ? '#' : ''}${more}`
    },
    digest: () => `<${text}>`,
  }
}

const item: Item = {
  memberId: 7n,
  leg: 1,
  kind: 'direct',
  amount: micro(50n),
  basis: micro(1_000n),
  percentage: '5',
  level: 2,
  investmentId: 3n,
  fromMemberId: 9n,
  leftPoints: null,
  rightPoints: 4n,
  flushed: micro(6n),
}
const missed: Missed = {
  memberId: 8n,
  leg: 2,
  kind: 'master',
  reason: 'inactive',
  amount: micro(5n),
  level: null,
  investmentId: 3n,
  fromMemberId: 9n,
}

it('a seal covers every field of every row, as PostgreSQL writes them', () => {
  const seal = sealing(plainDigest)
  const columns = { members: [1n, 2n], bases: [30n, 40n], amounts: [3n, 4n] }
  expect(seal.page({ ...columns, earned: null })).toBe('<{1,2}{30,40}{3,4}>')
  expect(seal.page({ ...columns, earned: [5n, 6n] })).toBe('<{1,2}{30,40}{3,4}{5,6}>')
  seal.item(item)
  seal.missed(missed)
  const legs = { left: new BigInt64Array(2048), right: new BigInt64Array(2048), events: new Int32Array(2048) }
  legs.left[1024] = 11n
  legs.right[1025] = 12n
  legs.events[2047] = 13
  seal.carry(legs, 1)
  const [lefts, rights, events] = [['11'], ['0', '12'], []].map((first) =>
    Array.from({ length: 1024 }, (_, index) => first[index] ?? '0'),
  ) as [string[], string[], string[]]
  events[1023] = '13'
  const rows = [lefts, rights, events].map((values) => `{${values.join(',')}}`).join('')
  expect(seal.principals()).toBe('<#<{1,2}{30,40}>#<{1,2}{30,40}{5,6}>>')
  expect(seal.seal()).toBe(
    `<<{1,2}{30,40}{3,4}>\n<{1,2}{30,40}{3,4}{5,6}>\n<7|1|direct|50|1000|5|2|3|9|0|4|6\n><8|2|master|inactive|5|0|3|9\n><1${rows}\n>>`,
  )
})
