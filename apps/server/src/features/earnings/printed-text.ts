/** Text of any script on paper: each run of it in a font that has its letters, right-to-left runs in their order. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import bidiFactory from 'bidi-js'
import { create, type Font } from 'fontkit'
import type PDFDocument from 'pdfkit'

type Doc = InstanceType<typeof PDFDocument>

const { resolve } = createRequire(import.meta.url)
const noto = (of: string, subset: string) =>
  resolve(`@fontsource/noto-sans${of}/files/noto-sans${of}-${subset}-400-normal.woff`)

/** By script, where letters are joined or are read often. */
const BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Cyrillic}/u, noto('', 'cyrillic')],
  [/\p{Script=Cyrillic}/u, noto('', 'cyrillic-ext')],
  [/\p{Script=Greek}/u, noto('', 'greek')],
  [/\p{Script=Greek}/u, noto('', 'greek-ext')],
  [/\p{Script=Devanagari}/u, noto('', 'devanagari')],
  [/\p{Script=Arabic}/u, noto('-arabic', 'arabic')],
  [/\p{Script=Hebrew}/u, noto('-hebrew', 'hebrew')],
  [/\p{Script=Thai}/u, noto('-thai', 'thai')],
]
/** Has a sign for nearly every character that there is, drawn in pixels: Chinese, Japanese, Korean, emoji and what nobody foresaw. */
const OF_LAST_RESORT = resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff')

/**
 * A font as it is before it is packed for the web: WOFF deflates each table. fontkit reads WOFF too, but unpacks the table of all letters
 * again for each letter, 2.3 s for three, and then embeds all of it: 1.4 MB instead of 6 kB.
 */
function unpacked(woff: Buffer) {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + 16 * count)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const parts: Buffer[] = [head]
  let at = head.length
  for (let place = 0; place < count; place += 1) {
    const entry = 44 + 20 * place
    const [offset = 0, packedLength = 0, length = 0] = [4, 8, 12].map((field) =>
      woff.readUInt32BE(entry + field),
    )
    const stored = woff.subarray(offset, offset + packedLength)
    const table = packedLength < length ? inflateSync(stored) : stored
    const ours = 12 + 16 * place
    woff.copy(head, ours, entry, entry + 4)
    woff.copy(head, ours + 4, entry + 16, entry + 20)
    head.writeUInt32BE(at, ours + 8)
    head.writeUInt32BE(length, ours + 12)
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, padding)
    at += length + padding.length
  }
  return Buffer.concat(parts)
}

interface Face {
  readonly data: Buffer
  readonly font: Font
}

/** Read when a document first needs it. The last resort takes 14 MB from then on. */
const faces = new Map<string, Face>()
function faceOf(file: string): Face {
  const known = faces.get(file)
  if (known !== undefined) return known
  const stored = readFileSync(file)
  const data = file.endsWith('.woff') ? unpacked(stored) : stored
  const face = { data, font: create(data) as Font }
  faces.set(file, face)
  return face
}

/** Joiners and variation selectors have no sign of their own. */
const DRAWN_AS_NOTHING = /\p{Default_Ignorable_Code_Point}/u
const has = (file: string, cluster: string) =>
  [...cluster].every(
    (sign) => DRAWN_AS_NOTHING.test(sign) || faceOf(file).font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0),
  )

function fontOf(cluster: string, usual: string): string {
  if (has(usual, cluster)) return usual
  return BY_SCRIPT.find(([script, file]) => script.test(cluster) && has(file, cluster))?.[1] ?? OF_LAST_RESORT
}

interface Run {
  readonly font: string
  /** Odd: from right to left. */
  readonly level: number
  text: string
}

const clusters = new Intl.Segmenter('es', { granularity: 'grapheme' })
const bidi = bidiFactory()

/** Runs as they stand in the text. */
function runsOf(text: string, usual: string): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr')
  const runs: Run[] = []
  for (const { segment, index } of clusters.segment(text)) {
    const [font, level] = [fontOf(segment, usual), levels[index] ?? 0]
    const last = runs.at(-1)
    // Emoji of the last resort are not joined: what joins them would be a box.
    const shown = font === OF_LAST_RESORT ? segment.replace(/[\u200d\ufe0e\ufe0f]/g, '') : segment
    if (last?.font === font && last.level === level) last.text += shown
    else runs.push({ font, level, text: shown })
  }
  return runs
}

/** Of one script a run is turned by fontkit; one of spaces and marks alone has none. */
const turned = (run: Run): Run =>
  run.level % 2 === 0 || /\p{L}/u.test(run.text)
    ? run
    : {
        ...run,
        text: [...run.text]
          .reverse()
          .map((sign) => bidi.getMirroredCharacter(sign) ?? sign)
          .join(''),
      }

/** From left to right, as they are seen: from the highest level down, what stands at it or above is turned. */
function seenOrder(runs: readonly Run[]): Run[] {
  const seen = runs.map(turned)
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1)
    for (let from = 0; from < seen.length; from += 1) {
      let to = from
      while ((seen[to]?.level ?? 0) >= level) to += 1
      seen.splice(from, to - from, ...seen.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  return seen
}

function setFont(doc: Doc, file: string): Doc {
  const { data } = faceOf(file)
  return doc.registerFont(file, data).font(file)
}

const widthOf = (doc: Doc, runs: readonly Run[]) =>
  runs.reduce((width, { font, text }) => width + setFont(doc, font).widthOfString(text), 0)

/** Whether the usual font has all of it. */
export const isPlain = (text: string, usual: string): boolean => has(usual, text)

/** One line at a place, in the size and colour that are set, cut between two characters where it does not fit. */
export function putRuns(
  doc: Doc,
  usual: string,
  text: string,
  [x, y, width]: readonly [x: number, y: number, width: number],
): void {
  let runs = runsOf(text, usual)
  const kept = [...clusters.segment(text)].map(({ segment }) => segment)
  while (kept.length > 0 && widthOf(doc, runs) > width) {
    kept.pop()
    runs = runsOf(`${kept.join('').trimEnd()}…`, usual)
  }
  let at = x
  // Letters of one line stand on one line, whatever fonts they are of.
  const { ascent, descent } = faceOf(usual).font
  const baseline = y + (setFont(doc, usual).currentLineHeight() * ascent) / (ascent - descent)
  for (const { font, text: shown } of seenOrder(runs)) {
    setFont(doc, font).text(shown, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
    at += doc.widthOfString(shown)
  }
  setFont(doc, usual)
}
