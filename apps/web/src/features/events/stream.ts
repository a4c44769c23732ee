/** One stream of server-sent events, read from the body of an answer. */
import type { MemberEvent } from '@aval/contract'

/** What is heard: an event, or a heartbeat, which only says that there is a stream. */
export interface Heard {
  readonly kind: MemberEvent | 'heartbeat'
  /** Milliseconds within which to ask again. */
  readonly within: number
}

const KINDS: Readonly<Record<Heard['kind'], true>> = {
  money: true,
  withdrawals: true,
  deposits: true,
  console: true,
  refresh: true,
  replaced: true,
  heartbeat: true,
}
const MOST_WITHIN = 60_000

/** The value of a field of an event; empty where it has none. */
const fieldOf = (block: string, name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? ''

/** A block of lines; what is no event that we know still shows that the stream is alive. */
export function readBlock(block: string): Heard {
  const kind = fieldOf(block, 'event')
  const within = Number(/"within_ms":(\d{1,9})/.exec(fieldOf(block, 'data'))?.[1] ?? 0)
  return Object.hasOwn(KINDS, kind)
    ? { kind: kind as Heard['kind'], within: Math.min(within, MOST_WITHIN) }
    : { kind: 'heartbeat', within: 0 }
}

/** Reads until the stream ends. @throws when it breaks */
export async function readStream(
  body: ReadableStream<BufferSource>,
  heard: (each: Heard) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = `${rest}${part.value}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) heard(readBlock(block))
  }
}
