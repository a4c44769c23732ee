import { checkDimensions, type PictureRule, sideOf } from './picture.ts'

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
