/**
 * The open streams of this process, and what is sent on them. There may be tens of thousands: a stream is one small object, has
 * no timer of its own and one listener, and an event is one write. `npm run bench -- events` measures it.
 */
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventText, HEARTBEAT, type Notice, openingText, REPLACED, spreadMs } from './events.rules.ts'

/** Streams a member may have open; a browser needs one for all its tabs. The oldest makes room. */
export const MOST_STREAMS = 8
/** Each second one part of the streams is looked after; after so many seconds each was once. */
export const PARTS = 25
/** Seconds between two notices to operators: however much happens, their pages ask no more often. */
const OPERATORS_EVERY = 2
/** Bytes that may wait in our memory for a client, hundreds of notices beyond what its connection holds. */
const MOST_UNREAD = 16_384
/** Streams that are written to in one turn: about 3 ms. */
const A_TURN = 500

export type Connection = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'once' | 'writableLength'>

/** Whose stream it is, and until when: system time in milliseconds. */
export interface Holder {
  readonly memberId: bigint
  readonly sessionId: string
  readonly accessUntil: number
  readonly isOperator: boolean
}

class Stream implements Holder {
  readonly memberId: bigint
  readonly sessionId: string
  readonly accessUntil: number
  readonly isOperator: boolean
  readonly connection: Connection
  /** Those that are looked after together with it. */
  readonly part: Set<Stream>

  constructor(holder: Holder, connection: Connection, part: Set<Stream>) {
    this.memberId = holder.memberId
    this.sessionId = holder.sessionId
    this.accessUntil = holder.accessUntil
    this.isOperator = holder.isOperator
    this.connection = connection
    this.part = part
    part.add(this)
  }
}

export class Streams {
  readonly #now: () => number
  readonly #byMember = new Map<bigint, Stream[]>()
  readonly #parts = Array.from({ length: PARTS }, () => new Set<Stream>())
  #size = 0
  #opened = 0
  #turn = 0
  #closed = false
  readonly #operators = new Set<Stream>()
  /** In turns of looking after; at most one notice for all that happened since the one before. */
  #operatorsDueAt = Number.POSITIVE_INFINITY
  #operatorsToldAt = Number.NEGATIVE_INFINITY

  /** @param now system time, in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  get size(): number {
    return this.#size
  }

  /** Every stream begins with a refresh: nobody reports what changed before it was open. */
  open(holder: Holder, connection: Connection): void {
    if (this.#closed) {
      connection.end()
      return
    }
    const stream = new Stream(holder, connection, this.#partOf(this.#opened++))
    const own = this.#byMember.get(holder.memberId)
    if (own === undefined) this.#byMember.set(holder.memberId, [stream])
    else own.push(stream)
    if (stream.isOperator) this.#operators.add(stream)
    this.#size += 1
    connection.once('close', () => this.#remove(stream))
    connection.write(openingText(spreadMs(this.#size)))
    const [oldest] = own ?? []
    if (own !== undefined && own.length > MOST_STREAMS && oldest !== undefined) this.#end(oldest, REPLACED)
  }

  /** @returns when it was sent to all; streams opened meanwhile began with a refresh anyway */
  async tell(notice: Notice): Promise<void> {
    if (notice.kind === 'sessions' || notice.kind === 'console') return
    if ('ids' in notice) {
      const text = eventText(notice.kind, spreadMs(notice.ids.length))
      for (const id of notice.ids) for (const stream of this.#of(id)) this.#write(stream, text)
      return
    }
    const { kind, first, last } = notice
    await this.#tellAll(eventText(kind, spreadMs(this.#size)), (id) => id >= first && id <= last)
  }

  /** What operators work on changed: they hear of it within a second or two. */
  tellOperators(): void {
    this.#operatorsDueAt = Math.min(
      this.#operatorsDueAt,
      Math.max(this.#turn, this.#operatorsToldAt + OPERATORS_EVERY),
    )
  }

  /** Something may have been missed. */
  refresh(): Promise<void> {
    return this.#tellAll(eventText('refresh', spreadMs(this.#size)), () => true)
  }

  /** The holders of all open streams, or of a notice's members. */
  holders(notice: Notice | null): Holder[] {
    if (notice !== null && 'ids' in notice) return notice.ids.flatMap((id) => this.#of(id))
    return [...this.#byMember.values()].flat()
  }

  /** Ends the streams of these members' sessions, where `isLive` no longer has them. */
  endUnless(isLive: (sessionId: string) => boolean, holders: readonly Holder[]): void {
    for (const { memberId } of holders)
      for (const stream of this.#of(memberId)) if (!isLive(stream.sessionId)) this.#end(stream)
  }

  /** Looks after the next part of the streams: those with an expired token end, the others get a heartbeat. */
  lookAfter(): void {
    if (this.#turn >= this.#operatorsDueAt) {
      this.#operatorsDueAt = Number.POSITIVE_INFINITY
      this.#operatorsToldAt = this.#turn
      const text = eventText('console', spreadMs(this.#operators.size))
      for (const stream of [...this.#operators]) this.#write(stream, text)
    }
    for (const stream of this.#partOf(this.#turn++)) this.#write(stream, HEARTBEAT)
  }

  /** Ends all, and every stream that would be opened later. */
  close(): void {
    this.#closed = true
    for (const own of [...this.#byMember.values()]) for (const stream of [...own]) this.#end(stream)
  }

  #partOf(turn: number): Set<Stream> {
    const part = this.#parts[turn % PARTS]
    if (part === undefined) throw new Error('there is no such part')
    return part
  }

  /** A copy: writing to a stream may end it. */
  #of(memberId: bigint): Stream[] {
    return [...(this.#byMember.get(memberId) ?? [])]
  }

  async #tellAll(text: string, concerns: (memberId: bigint) => boolean): Promise<void> {
    let written = 0
    for (const [memberId, own] of this.#byMember) {
      if (!concerns(memberId)) continue
      for (const stream of [...own]) this.#write(stream, text)
      written += own.length
      if (written < A_TURN) continue
      written = 0
      await nextTurn()
    }
  }

  #write(stream: Stream, text: string): void {
    const { connection } = stream
    if (stream.accessUntil <= this.#now()) this.#end(stream)
    else if (connection.writableLength > MOST_UNREAD) {
      this.#remove(stream)
      connection.destroy()
    } else connection.write(text)
  }

  /** One whose client is behind is cut: a connection that waits to be read would outlive its stream, and hold up a stop. */
  #end(stream: Stream, last?: string): void {
    const { connection } = stream
    this.#remove(stream)
    const isBehind = connection.writableLength > 0
    if (last !== undefined) connection.write(last)
    if (isBehind) connection.destroy()
    else connection.end()
  }

  #remove(stream: Stream): void {
    const own = this.#byMember.get(stream.memberId)
    const place = own?.indexOf(stream) ?? -1
    if (own === undefined || place < 0) return
    if (own.length === 1) this.#byMember.delete(stream.memberId)
    else own.splice(place, 1)
    stream.part.delete(stream)
    this.#operators.delete(stream)
    this.#size -= 1
  }
}
