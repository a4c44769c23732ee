import { expect, it } from 'vitest'
import { type Connection, Streams } from './streams.ts'

/** The stream of a member, and what was written on it. */
function streamOf(streams: Streams, memberId: bigint): string[] {
  const written: string[] = []
  const connection = {
    write: (text: string) => written.push(text) > 0,
    once: () => connection,
    writableLength: 0,
  } as unknown as Connection
  const holder = { memberId, sessionId: `s${memberId}`, accessUntil: 1, isOperator: false }
  streams.open(holder, connection)
  return written
}

it('a notice to a range of members reaches both its ends and nobody outside', async () => {
  const streams = new Streams(() => 0)
  const members = [9n, 10n, 15n, 20n, 21n]
  const all = members.map((id) => streamOf(streams, id))
  await streams.tell({ kind: 'money', first: 10n, last: 20n })
  const reached = members.filter((_, index) => all[index]?.some((text) => text.startsWith('event: money')))
  expect(reached).toEqual([10n, 15n, 20n])
})
