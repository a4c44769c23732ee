/** Uploaded pictures, re-encoded: only pixels of three known formats survive, no metadata and no other content. */
import sharp from 'sharp'
import { Refusal } from '../../../core/refusal.ts'

const SIDE = 256
/** What a phone's camera makes; decompression bombs are larger. */
const MAX_PIXELS = 50_000_000
const LONGEST_SIDE_PIXELS = 12_000
/**
 * The shorter side is made 256 pixels and the rest is cut off after that, so the longer one grows with it: of 1 × 100,000 pixels that was
 * 256 × 25.6 million, eleven minutes and 3.4 GB. With this limit nothing in between is larger than 3.3 megapixels.
 */
const MOST_TIMES_AS_LONG = 50
const SECONDS = 10
const MAX_QUEUE = 20
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp']

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.concurrency(1)
sharp.cache(false)

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** One at a time: a large picture takes a core and 100 MB while it is decoded. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= MAX_QUEUE) throw new Refusal('unavailable')
  waiting += 1
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}

const refusalOf = (key: 'image_invalid' | 'image_too_large') =>
  new Refusal(key, {}, [{ path: 'avatar', key, params: {} }])

async function encode(bytes: Buffer): Promise<Buffer> {
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const
  // From the head of the file: nothing is decoded yet.
  const { format, width, height } = await sharp(bytes, options).metadata()
  if (!FORMATS.includes(format)) throw refusalOf('image_invalid')
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const isTooLong = longer > LONGEST_SIDE_PIXELS || longer > shorter * MOST_TIMES_AS_LONG
  if (isTooLong || width * height > MAX_PIXELS) throw refusalOf('image_too_large')
  return sharp(bytes, options)
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'cover', position: 'attention' })
    .webp({ quality: 82 })
    .toBuffer()
}

/**
 * An upright square of 256 pixels as WebP, without the place and time that a camera writes into a file. Of what moves the first picture.
 * @throws Refusal `image_invalid` for what is no PNG, JPEG or WebP or is broken, `image_too_large` for more than fifty megapixels, a side
 *   of more than 12,000 pixels, or one that is fifty times the other
 */
export async function encodeAvatar(bytes: Buffer): Promise<Buffer> {
  return inTurn(async () => {
    try {
      return await encode(bytes)
    } catch (error) {
      // The decoder throws the same kind of error for everything that can be wrong with a picture.
      if (error instanceof Refusal) throw error
      throw refusalOf('image_invalid')
    }
  })
}
