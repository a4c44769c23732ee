/** The open network as a picture of vectors, to be kept or printed: light, whatever the theme. */
import { shortened } from '@aval/contract/characters'
import { type Visible, visible } from '@aval/genealogy'
import { isActive, isVacant, NODE_SIZES, type Plot } from '../plot.ts'
import type { CardTexts } from './cards.ts'

/** A picture of more would be no use, and large. */
export const MOST_EXPORTED = 5000
const MARGIN = 40
const HALF = NODE_SIZES.width / 2

const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** What is allowed in XML, escaped. */
export const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (sign) => MARKUP[sign] ?? '')

/** Null where there is nothing, or too much, to draw. */
export function svgOf(plot: Plot, texts: CardTexts) {
  const { layout } = plot
  if (layout.count === 0 || (layout.columns.size[0] ?? 0) > MOST_EXPORTED) return null
  const box = layout.box()
  const seen = visible(layout, box)
  const width = box.right - box.left + 2 * MARGIN
  const height = box.bottom - box.top + 2 * MARGIN
  const cards = seen.nodes.map((node, at) =>
    cardOf(plot, texts, node, (seen.xs[at] ?? 0) - HALF, seen.ys[at] ?? 0),
  )
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box.left - MARGIN} ${-MARGIN} ${width} ${height}" font-family="Public Sans, Inter, Arial, sans-serif">`,
    `<rect x="${box.left - MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="#ffffff"/>`,
    `<path d="${linesOf(plot, seen)}" fill="none" stroke="#b9c0c9" stroke-width="1.5"/>`,
    ...cards,
    '</svg>',
  ].join('\n')
  return { svg, width, height }
}

function linesOf(plot: Plot, seen: Visible): string {
  const levels = plot.layout.columns.level
  const half = NODE_SIZES.childGap / 2
  const beam = (level: number) => level * plot.layout.rise + NODE_SIZES.height + half
  const down = seen.parents.map((parent, at) => {
    const y = beam(levels[parent] ?? 0)
    const [left, right] = [seen.lineLefts[at] ?? 0, seen.lineRights[at] ?? 0]
    return `M${seen.parentXs[at] ?? 0} ${y - half}V${y}M${left} ${y}H${right}`
  })
  const drops = seen.drops.map(
    (node, at) => `M${seen.dropXs[at] ?? 0} ${beam((levels[node] ?? 1) - 1)}v${half}`,
  )
  return [...down, ...drops].join('')
}

function cardOf(plot: Plot, texts: CardTexts, node: number, x: number, y: number): string {
  const item = plot.items[node]
  if (item === undefined) return ''
  if (isVacant(item) || item.kind !== 'member') {
    const parent = plot.layout.columns.parent[node] ?? 0
    const text = isVacant(item) ? texts.vacant(plot.legOf(node)) : texts.all(plot.missing(parent))
    return [
      `<rect x="${x}" y="${y}" width="${NODE_SIZES.width}" height="${NODE_SIZES.height}" rx="10" fill="none" stroke="#8b95a1" stroke-dasharray="4 4"/>`,
      textOf(x + HALF, y + 60, text, 'middle', '#5b6876', 15, 400, ROOM + 6),
    ].join('')
  }
  const { node: member } = item
  const edge = member.is_master_code ? '#e49e3d' : '#d5dae0'
  return [
    `<rect x="${x}" y="${y}" width="${NODE_SIZES.width}" height="${NODE_SIZES.height}" rx="10" fill="#28303b" stroke="${edge}"/>`,
    textOf(x + 205, y + 28, texts.amount(member.plan_name), 'end', '#b4bfcb', 16),
    textOf(x + 17, y + 62, member.name === '' ? texts.noName : member.name, 'start', '#f2f5f8', 20, 600),
    textOf(x + 17, y + 85, member.username, 'start', '#b4bfcb', 15, 400, ROOM_BESIDE),
    textOf(x + 205, y + 85, texts.state(isActive(member)), 'end', '#b4bfcb', 15),
  ].join('')
}

/** As many characters as a card has room for. */
const ROOM = 20
const ROOM_BESIDE = 13

function textOf(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
  fill: string,
  size: number,
  weight = 400,
  room = ROOM,
): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-size="${size}" font-weight="${weight}">${escaped(shortened(text, room))}</text>`
}

/** Browsers draw no larger pictures than these. */
const LONGEST = 8192
const MOST_PIXELS = 40_000_000

/** Twice as fine as the screen's pixels, or as fine as a browser can. */
function scaleFor({ width, height }: { width: number; height: number }): number {
  return Math.min(2, LONGEST / width, LONGEST / height, Math.sqrt(MOST_PIXELS / (width * height)))
}

/** Null where the browser cannot draw it. */
export async function pngOf(picture: NonNullable<ReturnType<typeof svgOf>>): Promise<Blob | null> {
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
