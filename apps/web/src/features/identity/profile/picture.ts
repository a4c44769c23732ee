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

/** A picture that the browser has read; `url` shows it from the browser's own memory. */
export interface OpenedPicture {
  url: string
  image: HTMLImageElement
}

/** A part of a picture, in its own pixels. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** Reads a file as a picture, or says what is wrong with it. The caller revokes its URL. */
export async function openPicture(file: File): Promise<OpenedPicture | PictureRule> {
  const url = URL.createObjectURL(file)
  const rule = await read(url)
  if (typeof rule !== 'string') return { url, image: rule }
  URL.revokeObjectURL(url)
  return rule
}

async function read(url: string): Promise<HTMLImageElement | PictureRule> {
  const image = new Image()
  const loaded = new Promise<boolean>((resolve) => {
    image.onload = () => resolve(true)
    image.onerror = () => resolve(false)
  })
  image.src = url
  if (!(await loaded)) return 'pictureBroken'
  const rule = checkDimensions({ width: image.naturalWidth, height: image.naturalHeight })
  if (rule !== null) return rule
  try {
    await image.decode()
    return image
  } catch {
    return 'pictureBroken'
  }
}

/** Draws the part onto a canvas that has been given its size. */
export function drawPart(canvas: HTMLCanvasElement, image: HTMLImageElement, area: Area): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  // A JPEG has no transparency: what is clear would turn black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height)
}

/** The part as a square file to send; null where the browser could not make one. */
export async function squareFile(image: HTMLImageElement, area: Area): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = sideOf(area)
  canvas.height = canvas.width
  drawPart(canvas, image, area)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  return blob === null ? null : new File([blob], 'avatar.jpg', { type: blob.type })
}
