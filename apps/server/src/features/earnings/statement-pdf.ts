/** A statement on paper: letterhead, who and which days, opening and closing standing, every line, page numbers. */
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { dateTag, exactFigure } from '@aval/contract/regions'
import { formatAmount } from '@aval/money'
import { dayStart } from '@aval/plan'
import pLimit from 'p-limit'
import PDFDocument from 'pdfkit'
import { type Reader, say, sayDay } from '../../core/messages.ts'
import { isPlain, putRuns } from './printed-text.ts'
import {
  detailOf,
  type Standing,
  type Statement,
  type StatementRange,
  type StatementRow,
  wordOf,
} from './statement.queries.ts'

/** Some hundred pages. A longer one is no document anybody reads, and writing it would keep others waiting. */
export const MOST_LINES = 5_000

/** Writing is work of this process, which answers others meanwhile: two at a time, with a turn for others after every page. */
const permits = pLimit(2)

const { resolve } = createRequire(import.meta.url)
const FONTS = {
  regular: resolve('@expo-google-fonts/public-sans/400Regular/PublicSans_400Regular.ttf'),
  strong: resolve('@expo-google-fonts/public-sans/600SemiBold/PublicSans_600SemiBold.ttf'),
}
const INK = '#1a222c'
const MUTED = '#5b6876'
const LINE = '#dfe2e6'
const ACCENT = '#2469b0'

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, side: 42, top: 42, bottom: 60 }
const WIDTH = PAGE.width - 2 * PAGE.side
const HEAD_HEIGHT = 26
/** Where the table begins: below the letterhead, or at the head of a later page. */
const FIRST_TABLE = 236
const LATER_TABLE = 74
const SMALL = 8
const AMOUNT_WIDTH = 71

/** Columns from the left, each by its width. */
const COLUMNS = [
  { key: 'statement_when', width: 80 },
  { key: 'statement_what', width: WIDTH - 80 - 4 * AMOUNT_WIDTH },
  { key: 'statement_balance_change', width: AMOUNT_WIDTH },
  { key: 'statement_balance_after', width: AMOUNT_WIDTH },
  { key: 'statement_principal_change', width: AMOUNT_WIDTH },
  { key: 'statement_principal_after', width: AMOUNT_WIDTH },
] as const

/** How figures, days and hours are written for a reader. */
function writing(reader: Reader, timeZone: string) {
  const { locale, region } = reader
  const write = exactFigure(region)
  const stamp = new Intl.DateTimeFormat(dateTag(region, locale), {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  const offset = new Intl.DateTimeFormat('en-US', { timeZoneName: 'shortOffset', timeZone })
  const money = (amount: bigint): string =>
    amount < 0n ? `−$${write(formatAmount(-amount))}` : `$${write(formatAmount(amount))}`
  return {
    money,
    change: (amount: bigint) => (amount === 0n ? '' : amount > 0n ? `+${money(amount)}` : money(amount)),
    stamp: (at: Date) => stamp.format(at).replace(',', ''),
    offset: (at: Date) => offset.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '',
  }
}

export interface Printed {
  readonly statement: Statement
  readonly days: StatementRange
  readonly reader: Reader
  readonly madeAt: Date
}

type Writing = ReturnType<typeof writing>
type Doc = InstanceType<typeof PDFDocument>

interface Line {
  readonly stamp: string
  readonly word: string
  readonly detail: string
  readonly figures: readonly string[]
  readonly height: number
}

const font = (doc: Doc, name: keyof typeof FONTS, size: number, colour = INK) =>
  doc.font(FONTS[name]).fontSize(size).fillColor(colour)

/** One line of text at a place, cut where it does not fit. */
function put(doc: Doc, text: string, x: number, y: number, width: number, align: 'left' | 'right' = 'left') {
  doc.text(text, x, y, { width, align, lineBreak: false, ellipsis: true, height: 20 })
}

/** The same of text with a name in it, which may be of any script. */
function putNamed(doc: Doc, name: keyof typeof FONTS, text: string, [x, y, width]: [number, number, number]) {
  if (isPlain(text, FONTS[name])) put(doc, text, x, y, width)
  else putRuns(doc, FONTS[name], text, [x, y, width])
}

/** Digits as wide as each other, so that figures stand below each other. */
const TABULAR = { features: ['tnum'] } satisfies PDFKit.Mixins.TextOptions

/** So many characters of any kind have room in every column. */
const SURELY_FITS = 13
/** Points between two figures at least. */
const FIGURE_GAP = 4

/** A figure at a place, smaller where it has no room in this size: one that is cut is another figure. */
function putFigure(
  doc: Doc,
  size: number,
  text: string,
  [x, y, width, align]: [x: number, y: number, width: number, align: 'left' | 'right'],
) {
  doc.fontSize(size)
  const wide = text.length > SURELY_FITS ? doc.widthOfString(text, TABULAR) + FIGURE_GAP : 0
  if (wide > width) doc.fontSize((size * width) / wide)
  doc.text(text, x, y, { width, align, lineBreak: false, height: 20, ...TABULAR })
}

/** The lines with the standing after each. @throws when they do not lead from the opening standing to the closing one. */
function linesOf(doc: Doc, { statement, reader }: Printed, write: Writing): Line[] {
  const after: Standing = { ...statement.opening }
  const heights = new Map<string, number>()
  font(doc, 'regular', SMALL)
  const heightOf = (word: string) => {
    const known = heights.get(word) ?? doc.heightOfString(word, { width: COLUMNS[1].width - 8 })
    heights.set(word, known)
    return known
  }
  const lines = statement.lines.map((row: StatementRow) => {
    after.balance += row.to_balance
    after.principal += row.to_principal
    const word = wordOf(row, reader)
    const detail = detailOf(row, reader, write.money)
    return {
      stamp: write.stamp(row.at),
      word,
      detail,
      figures: [
        write.change(row.to_balance),
        write.money(after.balance),
        write.change(row.to_principal),
        write.money(after.principal),
      ],
      height: heightOf(word) + (detail === '' ? 0 : 10) + 8,
    }
  })
  const { closing } = statement
  if (after.balance !== closing.balance || after.principal !== closing.principal)
    throw new Error('the lines of a statement do not lead to its closing standing')
  return lines
}

/** Which lines stand on which page. */
function pagesOf(lines: readonly Line[]): Line[][] {
  const pages: Line[][] = [[]]
  const room = (top: number) => PAGE.height - PAGE.bottom - top - HEAD_HEIGHT
  let left = room(FIRST_TABLE)
  for (const line of lines) {
    if (line.height > left) {
      pages.push([])
      left = room(LATER_TABLE)
    }
    pages.at(-1)?.push(line)
    left -= line.height
  }
  return pages
}

/** The shield of the product, and its name. */
function brand(doc: Doc, x: number, y: number, size: number) {
  doc.roundedRect(x, y, size, size, size * 0.28).fill(ACCENT)
  doc
    .save()
    .translate(x, y)
    .scale(size / 32)
    .lineWidth(2)
    .lineJoin('round')
    .lineCap('round')
  doc.path('M16 6.2c2.7 2.2 5.6 3 8.6 2.8.9 7.3-2 13.8-8.6 16.8-6.6-3-9.5-9.5-8.6-16.8 3 .2 5.9-.6 8.6-2.8z')
  doc.path('m12 15.8 3 3 5.3-5.6').stroke('#ffffff')
  doc.restore()
  font(doc, 'strong', size * 0.62)
  put(doc, 'Aval', x + size + 8, y + size * 0.12, 120)
}

const rule = (doc: Doc, y: number, colour = LINE) =>
  doc
    .moveTo(PAGE.side, y)
    .lineTo(PAGE.width - PAGE.side, y)
    .lineWidth(0.6)
    .stroke(colour)

function letterhead(doc: Doc, printed: Printed, write: Writing) {
  const { statement, days, reader, madeAt } = printed
  const { side } = PAGE
  const half = WIDTH / 2
  const right = side + half
  const dayOf = (at: Date) => sayDay(reader, at, days.timeZone)
  const from = dayStart(days.from, days.timeZone)
  brand(doc, side, PAGE.top, 26)
  font(doc, 'strong', 15)
  put(doc, say(reader, 'statement_title'), right, PAGE.top + 3, half, 'right')
  rule(doc, 82)
  const pair = (label: string, text: string, more: string, x: number) => {
    font(doc, 'regular', SMALL, MUTED)
    put(doc, label, x, 94, half - 12)
    font(doc, 'strong', 10.5)
    putNamed(doc, 'strong', text, [x, 106, half - 12])
    font(doc, 'regular', SMALL + 0.5, MUTED)
    putNamed(doc, 'regular', more, [x, 121, half - 12])
  }
  const who = statement.name === '' ? statement.username : statement.name
  const last = dayStart(days.to, days.timeZone)
  pair(say(reader, 'statement_member'), who, `@${statement.username}`, side)
  pair(
    say(reader, 'statement_period'),
    say(reader, 'statement_days', { from: dayOf(from), to: dayOf(last) }),
    say(reader, 'statement_made', { day: dayOf(madeAt) }),
    right,
  )
  standings(doc, printed, write)
  font(doc, 'regular', SMALL, MUTED)
  const zone = { zone: days.timeZone, offset: write.offset(madeAt) }
  put(doc, say(reader, 'statement_zone', zone), side, 213, WIDTH)
}

function standings(doc: Doc, { statement: { opening, closing }, reader }: Printed, write: Writing) {
  const width = WIDTH / 4
  doc.roundedRect(PAGE.side, 146, WIDTH, 54, 6).lineWidth(0.8).stroke(LINE)
  const cells = [
    ['statement_opening_balance', opening.balance],
    ['statement_closing_balance', closing.balance],
    ['statement_opening_principal', opening.principal],
    ['statement_closing_principal', closing.principal],
  ] as const
  for (const [place, [key, amount]] of cells.entries()) {
    const x = PAGE.side + place * width + 12
    font(doc, 'regular', SMALL, MUTED)
    put(doc, say(reader, key), x, 157, width - 16)
    font(doc, 'strong', 11.5)
    putFigure(doc, 11.5, write.money(amount), [x, 171, width - 16, 'left'])
  }
}

function tableHead(doc: Doc, reader: Reader, y: number) {
  let x = PAGE.side
  for (const [place, { key, width }] of COLUMNS.entries()) {
    font(doc, 'strong', 7, MUTED)
    put(doc, say(reader, key), x, y + 8, width - (place === 1 ? 8 : 0), place < 2 ? 'left' : 'right')
    x += width
  }
  rule(doc, y + HEAD_HEIGHT - 4, MUTED)
}

const decimalsOf = (figure: string) => /[.,](\d+)$/.exec(figure)?.[1]?.length ?? 0

/** @param decimals of each column at most: the decimal signs stand below each other */
function row(doc: Doc, line: Line, y: number, decimals: readonly number[]) {
  const [when, what] = COLUMNS
  const second = PAGE.side + when.width
  font(doc, 'regular', SMALL, MUTED)
  put(doc, line.stamp, PAGE.side, y + 3, when.width)
  font(doc, 'regular', SMALL)
  doc.text(line.word, second, y + 3, { width: what.width - 8 })
  if (line.detail !== '') {
    font(doc, 'regular', 7, MUTED)
    putNamed(doc, 'regular', line.detail, [second, y + line.height - 15, what.width - 8])
  }
  font(doc, 'regular', SMALL)
  for (const [place, figure] of line.figures.entries())
    if (figure !== '') {
      const x = second + what.width + place * AMOUNT_WIDTH
      doc.fontSize(SMALL)
      const missing = (decimals[place] ?? 0) - decimalsOf(figure)
      const room = AMOUNT_WIDTH - doc.widthOfString('0'.repeat(missing), TABULAR)
      putFigure(doc, SMALL, figure, [x, y + 3, room, 'right'])
    }
  rule(doc, y + line.height - 2)
}

function footer(doc: Doc, { statement, reader }: Printed, page: number, pages: number) {
  const y = PAGE.height - 40
  font(doc, 'regular', 7.5, MUTED)
  putNamed(doc, 'regular', `Aval · @${statement.username}`, [PAGE.side, y, WIDTH / 2])
  const numbered = say(reader, 'statement_page', { page: String(page), pages: String(pages) })
  put(doc, numbered, PAGE.side + WIDTH / 2, y, WIDTH / 2, 'right')
}

async function write(doc: Doc, printed: Printed): Promise<void> {
  const { days, reader } = printed
  const words = writing(reader, days.timeZone)
  doc.addPage()
  const all = linesOf(doc, printed, words)
  const decimals = [0, 1, 2, 3].map((place) =>
    all.reduce((most, { figures }) => Math.max(most, decimalsOf(figures[place] ?? '')), 0),
  )
  const pages = pagesOf(all)
  for (const [at, lines] of pages.entries()) {
    if (doc.destroyed) return
    if (at > 0) doc.addPage()
    const top = at === 0 ? FIRST_TABLE : LATER_TABLE
    if (at === 0) letterhead(doc, printed, words)
    else brand(doc, PAGE.side, PAGE.top, 18)
    tableHead(doc, reader, top)
    let y = top + HEAD_HEIGHT
    for (const line of lines) {
      row(doc, line, y, decimals)
      y += line.height
    }
    if (lines.length === 0) {
      font(doc, 'regular', SMALL + 1, MUTED)
      put(doc, say(reader, 'statement_empty'), PAGE.side, y + 8, WIDTH)
    }
    footer(doc, printed, at + 1, pages.length)
    await turn()
  }
  doc.end()
}

/** The document, which is written while it is sent. */
export function statementPdf(printed: Printed): Readable {
  const { reader, madeAt } = printed
  const doc = new PDFDocument({
    size: 'A4',
    // The foot of a page is ours: text in it begins no other.
    margins: { top: PAGE.top, left: PAGE.side, right: PAGE.side, bottom: 0 },
    autoFirstPage: false,
    font: FONTS.regular,
    lang: reader.locale,
    displayTitle: true,
    info: { Title: `Aval · ${say(reader, 'statement_title')}`, Author: 'Aval', CreationDate: madeAt },
  })
  permits(() => write(doc, printed)).catch((error: unknown) => doc.destroy(error as Error))
  return doc
}
