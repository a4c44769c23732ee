/** Pictures that members send: read by a decoder that knows three formats, and drawn anew, so that nothing else of them stays. */
import sharp from 'sharp'
import { Refusal } from '../../../core/refusal.ts'

const SIDE = 256
/** What a telephone takes; a bomb is beyond it. */
const MOST_PIXELS = 50_000_000
const SECONDS = 10
const LONGEST_QUEUE = 20
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp']

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.concurrency(1)
sharp.cache(false)

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** One at a time: a large picture takes a core and a hundred megabytes for as long as it is read. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= LONGEST_QUEUE) throw new Refusal('unavailable')
  waiting += 1
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}

async function draw(bytes: Buffer): Promise<Buffer> {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 } as const
  const { format } = await sharp(bytes, options).metadata()
  if (!FORMATS.includes(format)) throw new Refusal('image_invalid')
  return sharp(bytes, options)
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'cover', position: 'attention' })
    .webp({ quality: 82 })
    .toBuffer()
}

/**
 * A square of 256 pixels as WebP: turned upright, without what a camera writes about place and time.
 * @throws Refusal `image_invalid` for what is no PNG, JPEG or WebP, is broken, or has more than fifty megapixels
 */
export async function drawPortrait(bytes: Buffer): Promise<Buffer> {
  return inTurn(async () => {
    try {
      return await draw(bytes)
    } catch (error) {
      // The decoder has one kind of error for all that can be wrong with a picture.
      if (error instanceof Refusal) throw error
      throw new Refusal('image_invalid', {}, [{ path: 'avatar', key: 'image_invalid', params: {} }])
    }
  })
}
