import type { Picture } from './exportSvg.ts'

/** Browsers draw no larger pictures than these. */
const LONGEST = 8192
const MOST_PIXELS = 40_000_000

/** Twice as fine as the screen's pixels, or as fine as a browser can. */
export function scaleFor({ width, height }: { width: number; height: number }): number {
  return Math.min(2, LONGEST / width, LONGEST / height, Math.sqrt(MOST_PIXELS / (width * height)))
}

/** Null where the browser cannot draw it. */
export async function pngOf(picture: Picture): Promise<Blob | null> {
  const url = URL.createObjectURL(new Blob([picture.svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const scale = scaleFor(picture)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}
