/** Uploaded pictures, re-encoded: only pixels of three known formats survive, no metadata and no other content. */
import sharp from 'sharp'
import { Refusal } from '../../../core/refusal.ts'

const SIDE = 256
/** What a phone's camera makes; decompression bombs are larger. */
const MAX_PIXELS = 50_000_000
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

async function encode(bytes: Buffer): Promise<Buffer> {
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const
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
 * An upright square of 256 pixels as WebP, without the place and time that a camera writes into a file.
 * @throws Refusal `image_invalid` for what is no PNG, JPEG or WebP, is broken, or has more than fifty megapixels
 */
export async function encodeAvatar(bytes: Buffer): Promise<Buffer> {
  return inTurn(async () => {
    try {
      return await encode(bytes)
    } catch (error) {
      // The decoder throws the same kind of error for everything that can be wrong with a picture.
      if (error instanceof Refusal) throw error
      throw new Refusal('image_invalid', {}, [{ path: 'avatar', key: 'image_invalid', params: {} }])
    }
  })
}
