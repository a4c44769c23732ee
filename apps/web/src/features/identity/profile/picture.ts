/** What becomes of a picture between the chosen file and the square that is sent. */

/** What a telephone takes today fits; it never leaves the device like that. */
const MOST_BYTES = 20 * 1_048_576
/** As many as the server reads; a decoder needs four bytes for each. */
const MOST_PIXELS = 50_000_000
/** Below this size a face cannot be recognised. */
const LEAST_SIDE = 64
/** Pixels of a side of what is sent. */
const MOST_SIDE = 512

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Names of the messages under `profile:rule`. */
export type PictureRule = 'pictureType' | 'pictureSize' | 'pictureBroken' | 'pictureHuge' | 'pictureSmall'

/** Null when the file may be opened. */
export function checkFile({ type, size }: { type: string; size: number }): PictureRule | null {
  if (!PICTURE_TYPES.includes(type)) return 'pictureType'
  if (size === 0) return 'pictureBroken'
  return size > MOST_BYTES ? 'pictureSize' : null
}

/** Null when it may be drawn. A file's head tells its dimensions, before anything of it is decoded. */
export function checkDimensions({ width, height }: { width: number; height: number }): PictureRule | null {
  if (width === 0 || height === 0) return 'pictureBroken'
  if (width * height > MOST_PIXELS) return 'pictureHuge'
  return Math.min(width, height) < LEAST_SIDE ? 'pictureSmall' : null
}

/** Pixels of a side of the square to send: never more than the picture has there. */
export function sideOf(area: { width: number }): number {
  return Math.max(1, Math.min(MOST_SIDE, Math.round(area.width)))
}

/** How far one may go in: until the square has as many pixels as are sent. Small pictures can be enlarged a little. */
export function mostZoom({ width, height }: { width: number; height: number }): number {
  return Math.min(5, Math.max(2, Math.min(width, height) / MOST_SIDE))
}
