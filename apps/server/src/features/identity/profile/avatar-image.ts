/** Has uploaded pictures drawn again by a program of its own (`src/pictures`): no code of a decoder runs in the API. */
import { connect } from 'node:net'
import { Refusal } from '../../../core/refusal.ts'
import { type Fault, OUTCOMES } from '../../../pictures/answers.ts'

/** Others are drawn before. */
const LONGEST_WAIT_MS = 60_000
/** 256 × 256 pixels as they are, and more than a WebP of them has. */
const LARGEST_ANSWER_BYTES = 262_144

/** Everything that was answered until the connection ended, in whatever way. */
function ask(path: string, file: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let bytes = 0
    const socket = connect(path)
    const late = setTimeout(() => socket.destroy(), LONGEST_WAIT_MS)
    socket.on('data', (part) => {
      bytes += part.length
      if (bytes > LARGEST_ANSWER_BYTES) socket.destroy()
      else parts.push(part)
    })
    // What it means follows from what came before.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      resolve(Buffer.concat(parts))
    })
    socket.end(file)
  })
}

const refusalOf = (key: Fault) => new Refusal(key, {}, [{ path: 'avatar', key, params: {} }])

/**
 * An upright square of 256 pixels as WebP.
 * @param socket of the program that draws; null: there is none
 * @throws Refusal `image_invalid` for what is no picture, or one that took more time or memory than there is for it; `image_too_large` by
 *   its pixels; `unavailable` where the program is away or many wait for it
 */
export async function encodeAvatar(socket: string | null, file: Buffer): Promise<Buffer> {
  const answer = socket === null ? Buffer.alloc(0) : await ask(socket, file)
  // Not begun: nothing is known of this picture.
  if (answer.length === 0) throw new Refusal('unavailable')
  const outcome = answer.toString('latin1', 1, 2)
  if (outcome === OUTCOMES.image_too_large) throw refusalOf('image_too_large')
  if (outcome !== OUTCOMES.drawn) throw refusalOf('image_invalid')
  return answer.subarray(2)
}
