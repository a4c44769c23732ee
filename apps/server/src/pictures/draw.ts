/** Uploaded pictures, drawn again: only pixels of three known formats survive, no metadata and no other content. */
import sharp from 'sharp'
import type { Fault } from './answers.ts'

const AVATAR_SIDE_PIXELS = 256
/** What a phone's camera makes; decompression bombs are larger. */
const MAX_PIXELS = 50_000_000
const LONGEST_SIDE_PIXELS = 12_000
/**
 * The shorter side is made 256 pixels and the rest is cut off after that, so the longer one grows with it: of 1 × 100,000 pixels that was
 * 256 × 25.6 million, eleven minutes and 3.4 GB. With this limit nothing in between is larger than 3.3 megapixels.
 */
const MOST_TIMES_AS_LONG = 50
/** Ends most that take long; for what it does not end there are the limits of `serve.ts`. */
const DRAWING_SECONDS = 10
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp']

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.concurrency(1)
sharp.cache(false)

async function drawn(bytes: Buffer): Promise<Buffer | Fault> {
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const
  // From the head of the file: nothing is decoded yet.
  const { format, width, height } = await sharp(bytes, options).metadata()
  if (!FORMATS.includes(format)) return 'image_invalid'
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const isTooLong = longer > LONGEST_SIDE_PIXELS || longer > shorter * MOST_TIMES_AS_LONG
  if (isTooLong || width * height > MAX_PIXELS) return 'image_too_large'
  return sharp(bytes, options)
    .timeout({ seconds: DRAWING_SECONDS })
    .autoOrient()
    .resize(AVATAR_SIDE_PIXELS, AVATAR_SIDE_PIXELS, { fit: 'cover', position: 'attention' })
    .webp({ quality: 82 })
    .toBuffer()
}

/**
 * An upright square of 256 pixels as WebP, without the place and time that a camera writes into a file. Of what moves the first picture.
 * @returns `image_invalid` for what is no PNG, JPEG or WebP or is broken, `image_too_large` for more than fifty megapixels, a side of more
 *   than 12,000 pixels, or one that is fifty times the other
 */
export async function draw(bytes: Buffer): Promise<Buffer | Fault> {
  try {
    return await drawn(bytes)
  } catch {
    // The decoder throws the same kind of error for everything that can be wrong with a picture.
    return 'image_invalid'
  }
}
